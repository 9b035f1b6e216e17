#!/usr/bin/env python3
"""Opens quickjs.wasm at four places, so that the host owns the queue of promise jobs, sees promises being used, and says what await does.

    patch_wasm.py IN.wasm OUT.wasm

And an async generator that has ended answers all that it was asked. Each of the four places calls the import `env.host_call`, which QuickJS
has for functions of the host, with a negative first argument:

    JS_EnqueueJob               host_call(-1, job_func, argc, argv, 0), and nothing else: the host keeps the job and runs it
    perform_promise_then        host_call(-2, promise, reactions, capability, 0), then goes on
    fulfill_or_reject_promise   host_call(-3, promise, is_reject, low half of the value, high half), then goes on
    await                       host_call(-4, argv, 0, 0, 0): 0: js_promise_resolve(argv[0]) follows, as today's ECMAScript has it; else the
                                result points to the promise that is waited for, which is the caller's

promise: the pointer to its JSObject. Functions without a name in the file are found by their calls, and it is an
error if more than one function, or none, fits. So a new release of the package either works as this one does, or does not build.
"""
import re
import sys

ENQUEUED, THEN, SETTLED, AWAIT = -1, -2, -3, -4

LOCAL_GET, LOCAL_TEE, CALL, DROP, END, I32_CONST, I32_WRAP_I64 = 0x20, 0x22, 0x10, 0x1A, 0x0B, 0x41, 0xA7
IF, ELSE, I64_LOAD, I32_STORE, I64_CONST, I64_SHR_U = 0x04, 0x05, 0x29, 0x36, 0x42, 0x88
BR, RETURN, I32_GE_S, NOTHING = 0x0C, 0x0F, 0x4E, 0x40
UNDEFINED = 3 << 32
INTERRUPT_COUNTER = 292  # of a context: ContextLayout of sim/quickjs/frames.hpp
HIGH = "high"


def fail(message):
    sys.exit(f"patch_wasm.py: {message}")


def uleb(value):
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def sleb(value):
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        done = (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40)
        out.append(byte | (0 if done else 0x80))
        if done:
            return bytes(out)


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def u(self):
        result = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            result |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return result

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def name(self):
        return self.bytes(self.u()).decode()


class Module:
    def __init__(self, data):
        if data[:8] != b"\0asm\1\0\0\0":
            fail("not a WebAssembly module")
        self.sections = []  # (id, bytes)
        reader = Reader(data, 8)
        while reader.at < len(data):
            number = reader.bytes(1)[0]
            self.sections.append([number, reader.bytes(reader.u())])
        self.read_types()
        self.read_imports()
        self.read_functions()
        self.read_exports()
        self.read_code()

    def section(self, number):
        return next((body for kind, body in self.sections if kind == number), b"\0")

    def read_types(self):
        reader = Reader(self.section(1))
        self.types = []
        for _ in range(reader.u()):
            reader.bytes(1)
            params = bytes(reader.bytes(reader.u()))
            self.types.append((params, bytes(reader.bytes(reader.u()))))

    def read_imports(self):
        reader = Reader(self.section(2))
        self.imported = {}  # functions, by name
        for _ in range(reader.u()):
            module, field = reader.name(), reader.name()
            if reader.bytes(1) != b"\0":
                fail(f"an import that is no function: {module}.{field}")
            self.imported[f"{module}.{field}"] = len(self.imported)
            reader.u()

    def read_functions(self):
        reader = Reader(self.section(3))
        self.type_of = [reader.u() for _ in range(reader.u())]

    def read_exports(self):
        reader = Reader(self.section(7))
        self.exported = {}
        for _ in range(reader.u()):
            name, kind, index = reader.name(), reader.bytes(1)[0], reader.u()
            if kind == 0:
                self.exported[name] = index

    def read_code(self):
        reader = Reader(self.section(10))
        self.code = [bytes(reader.bytes(reader.u())) for _ in range(reader.u())]

    def signature(self, function):
        return self.types[self.type_of[function - len(self.imported)]]

    def body(self, function):
        """Where the locals of a function end and its instructions begin, and all of its bytes."""
        code = self.code[function - len(self.imported)]
        reader = Reader(code)
        for _ in range(reader.u()):
            reader.u()
            reader.bytes(1)
        return reader.at, code

    def calls(self, function, callee):
        """Whether a call of `callee` may stand in it: the bytes of one do."""
        start, code = self.body(function)
        return bytes([CALL]) + uleb(callee) in code[start:]

    def functions(self):
        return range(len(self.imported), len(self.imported) + len(self.code))

    def set_code(self, function, code):
        self.code[function - len(self.imported)] = bytes(code)

    def dump(self):
        out = bytearray(b"\0asm\1\0\0\0")
        for number, body in self.sections:
            if number == 10:
                body = uleb(len(self.code)) + b"".join(uleb(len(code)) + code for code in self.code)
            out += bytes([number]) + uleb(len(body)) + body
        return bytes(out)


def only(found, what):
    if len(found) != 1:
        fail(f"{what}: {len(found)} functions fit, and one should")
    return found[0]


def main():
    if len(sys.argv) != 3:
        fail("usage: patch_wasm.py IN.wasm OUT.wasm")
    with open(sys.argv[1], "rb") as file:
        module = Module(file.read())
    I32, I64 = 0x7F, 0x7E
    host_call = module.imported["env.host_call"]

    def told(event, *arguments):
        """Instructions that call host_call(event, arguments..., 0...); arguments: (local, is_i64), or (local, HIGH): its high half."""
        code = bytes([I32_CONST]) + sleb(event)
        for local, is_wide in arguments:
            high = bytes([I64_CONST, 32, I64_SHR_U]) if is_wide == HIGH else b""
            code += bytes([LOCAL_GET]) + uleb(local) + high + (bytes([I32_WRAP_I64]) if is_wide else b"")
        code += bytes([I32_CONST, 0]) * (4 - len(arguments))
        return code + bytes([CALL]) + uleb(host_call)

    def prepend(function, code):
        start, body = module.body(function)
        module.set_code(function, body[:start] + code + bytes([DROP]) + body[start:])

    enqueue = module.exported["JS_EnqueueJob"]
    if module.signature(enqueue) != (bytes([I32, I32, I32, I32]), bytes([I32])):
        fail("JS_EnqueueJob has another signature")
    enqueuers = [f for f in module.functions() if f != enqueue and module.calls(f, enqueue)]
    then = only([f for f in enqueuers if module.calls(module.exported["JS_PromiseThen"], f)
                 and module.signature(f) == (bytes([I32, I64, I32, I32]), bytes([I32]))], "perform_promise_then")
    settle = only([f for f in enqueuers if module.signature(f) == (bytes([I32, I64, I64, I32]), b"")],
                  "fulfill_or_reject_promise")

    prepend(then, told(THEN, (1, True), (2, False), (3, False)))
    prepend(settle, told(SETTLED, (1, True), (3, False), (2, True), (2, HIGH)))
    module.set_code(enqueue, b"\0" + told(ENQUEUED, (1, False), (2, False), (3, False)) + bytes([END]))

    # await: the functions that resume async functions and async generators call js_promise_resolve, as JS_NewSettledPromise does.
    # Theirs is sent to JS_GetTypedArrayBuffer, which has the same signature and which nothing here calls.
    signature = (bytes([I32, I64, I32, I32, I32]), bytes([I64]))
    resolve = only([f for f in module.functions() if module.signature(f) == signature
                    and module.calls(module.exported["JS_NewSettledPromise"], f)], "js_promise_resolve")
    spare = module.exported["JS_GetTypedArrayBuffer"]
    if module.signature(spare) != signature:
        fail("JS_GetTypedArrayBuffer has another signature")
    resumers = [f for f in module.functions() if module.calls(f, resolve)
                and module.signature(f) in ((bytes([I32, I32]), b""), (bytes([I32, I32]), bytes([I32])))]
    if len(resumers) != 2:
        fail(f"await: {len(resumers)} functions fit, and two should")
    for function in resumers:
        start, body = module.body(function)
        old, new = bytes([CALL]) + uleb(resolve), bytes([CALL]) + uleb(spare)
        module.set_code(function, body[:start] + body[start:].replace(old, new))
    asked = bytes([I32_CONST]) + sleb(AWAIT) + bytes([LOCAL_GET, 3]) + bytes([I32_CONST, 0]) * 3 + bytes([CALL]) + uleb(host_call)
    given = bytes([LOCAL_GET, 5, I64_LOAD, 3, 0])
    as_today = b"".join(bytes([LOCAL_GET, i]) for i in range(5)) + bytes([CALL]) + uleb(resolve)
    module.set_code(spare, bytes([1, 1, I32]) + asked + bytes([LOCAL_TEE, 5, IF, I64]) + given + bytes([ELSE]) + as_today
                    + bytes([END, END]))
    # An async generator that has ended answers all that it was asked: js_async_generator_resume_next goes on behind a next() or a throw(),
    # and js_async_generator_resolve_function, with a magic of 2 or 3, behind a return() that was awaited.
    resume_next = only([f for f in resumers if module.signature(f) == (bytes([I32, I32]), b"")], "js_async_generator_resume_next")
    start, body = module.body(resume_next)
    after_throw = re.findall(rb"\x10..\x0c\x07", body[start:], re.DOTALL)
    after_next = re.findall(rb"\x10..\x0b\x20\x03\x41\x30\x6a\x24\x00", body[start:], re.DOTALL)
    if len(after_throw) != 1 or len(after_next) != 1:
        fail("js_async_generator_resume_next has another shape")
    again = bytes([LOCAL_GET, 0, LOCAL_GET, 1, CALL]) + uleb(resume_next)
    code = body[start:].replace(after_throw[0], after_throw[0][:3] + bytes([BR, 5]))  # to its loop, and not out of it
    module.set_code(resume_next, body[:start] + code.replace(after_next[0], after_next[0][:3] + again + after_next[0][3:]))
    answer = only([f for f in module.functions() if module.calls(f, resume_next)
                   and module.signature(f) == (bytes([I32, I64, I32, I32, I32, I32]), bytes([I64]))], "js_async_generator_resolve_function")
    start, body = module.body(answer)
    returns = bytes([I64_CONST]) + sleb(UNDEFINED) + bytes([RETURN])
    if body[start:].count(returns) != 1:
        fail("js_async_generator_resolve_function: it returns undefined at another place")
    generator, magic = 2, 4  # its local with the generator's data, and its parameter
    goes_on = bytes([LOCAL_GET, magic, I32_CONST, 2, I32_GE_S, IF, NOTHING, LOCAL_GET, 0, LOCAL_GET, generator, CALL])
    goes_on += uleb(resume_next) + bytes([END])
    module.set_code(answer, body[:start] + body[start:].replace(returns, goes_on + returns))

    # js_poll_interrupts() begins its counter again where sim/quickjs/frames.hpp says.
    again = bytes([I32_CONST]) + sleb(10000) + bytes([I32_STORE, 2]) + uleb(INTERRUPT_COUNTER)
    only([f for f in module.functions() if again in module.body(f)[1]], "js_poll_interrupts")
    with open(sys.argv[2], "wb") as file:
        file.write(module.dump())


main()
