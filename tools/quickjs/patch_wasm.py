#!/usr/bin/env python3
"""Opens quickjs.wasm, so that the host owns the queue of promise jobs, sees promises being used, says what await does, and can
follow a program step by step.

    patch_wasm.py IN.wasm OUT.wasm

And what it does with iterators that fail is ECMAScript's, or V8's (repair_iterators). Each of the places below calls the import
`env.host_call`, which QuickJS has for functions of the host, with a negative first argument:

    JS_EnqueueJob               host_call(-1, job_func, argc, argv, 0), and nothing else: the host keeps the job and runs it
    perform_promise_then        host_call(-2, promise, reactions, capability, 0), then goes on
    fulfill_or_reject_promise   host_call(-3, promise, is_reject, low half of the value, high half), then goes on
    await, js_async_from_sync_iterator_next
                                host_call(-4, argv, 0, 0, 0): 0: js_promise_resolve(argv[0]) follows, as today's ECMAScript has it; else the
                                result points to the promise that is waited for, which is the caller's
    js_parse_statement_or_decl  host_call(-5, parser, table, stop, 0) before it and host_call(-5, parser, 0, 0, 0) after it: what the host
                                wants to have as the line of a source position where this statement begins or ends; 0: it wants none
    emit_source_loc_at          host_call(-6, function, line, column, 0): what the host wants to have in place of the line; 0: that line.
                                With it, the column is a large number of no meaning, so that there is room for the true position
    JS_CallInternal             host_call(-7, pc, sp, 0, 0) before an instruction whose entry in the interpreter's table of labels is
                                `stop`: its own entry
    js_async_from_sync_iterator_next
                                host_call(-8, 0, magic, 0, 0) when the iterator has failed: whether it is closed; and
                                host_call(-8, handler, magic, iterator, done): what has to be done where its value is rejected
    js_parse_assign_expr2       host_call(-9, 0, 0, 0, 0): whether yield* of an async generator awaits what it yields
    js_promise_resolve_function_call
                                host_call(-10, promise, is_reject, argc, argv) when the promise has been resolved already
    js_parse_function_decl2     host_call(-11, 0, 0, 0, 0): whether an async generator awaits the undefined that its end returns
    js_async_module_execution_rejected
                                host_call(-12, 0, 0, 0, 0): whether a module is rejected before the modules that wait for it
    a [Symbol.dispose]() that stands for [Symbol.asyncDispose]()
                                host_call(-13, 0, 0, 0, 0) when it has thrown: the result points to a promise that is rejected with
                                that, and the caller's; 0: it goes on being thrown
    every loop but the one from instruction to instruction
                                host_call(-14, 0, 0, 0, 0) when the global `work_left` is below zero (count_work)
    tell_subjects()             host_call(-15, low half of the object, high half, key, trap) behind a function that sets, defines or deletes
                                a property, or asks a proxy, and has failed; trap: of which (TRAPS), or 0
    tell_traps()                host_call(-16, low half, high half, 0, 0): what a trap of a proxy has returned, where that is an error

The errors that properties throw can be told in V8's words, which name the object and the key: they stand in memory at SUBJECT while the
functions run that throw them (tell_subjects).

The library's own code finds what the language had when it was loaded (keep_originals, sim/quickjs/loading/originals.hpp): for that, no
import is called.

A call has the place of its `(` (place_calls): QuickJS gives it that of the last call within its arguments. A pattern that takes values
apart has the place where it begins.

With the global `stack_weights` at -1 and not at 0, a call takes of QuickJS's stack what it takes of a browser's (weigh_calls).

`table`: where the table of labels is, 256 words. Until the host writes `stop` into it, nothing is slower.
promise: the pointer to its JSObject. Functions without a name in the file are found by their calls, and it is an
error if more than one function, or none, fits. So a new release of the package either works as this one does, or does not build.
"""
import re
import sys

ENQUEUED, THEN, SETTLED, AWAIT, STATEMENT, POSITION, INSTRUCTION, CLOSE, YIELD_STAR = -1, -2, -3, -4, -5, -6, -7, -8, -9
AGAIN, END_AWAITS, OWN_FIRST, DISPOSE_FAILED, WORKED, FAILED, RETURNED = -10, -11, -12, -13, -14, -15, -16

LOCAL_GET, LOCAL_TEE, CALL, DROP, END, I32_CONST, I32_WRAP_I64 = 0x20, 0x22, 0x10, 0x1A, 0x0B, 0x41, 0xA7
IF, ELSE, I64_LOAD, I32_STORE, I64_CONST, I64_SHR_U = 0x04, 0x05, 0x29, 0x36, 0x42, 0x88
RETURN, I32_LT_S, I32_GE_S, I32_EQ, I32_EQZ, I32_OR = 0x0F, 0x48, 0x4E, 0x46, 0x45, 0x72
BLOCK, LOOP, BR, BR_IF, BR_TABLE, LOCAL_SET, VOID = 0x02, 0x03, 0x0C, 0x0D, 0x0E, 0x21, 0x40
I32_ADD, I32_SUB, I32_MUL, I32_AND, I32_SHL, I32_LOAD, I32_LOAD8_U = 0x6A, 0x6B, 0x6C, 0x71, 0x74, 0x28, 0x2D
I32_LOAD16_U, I32_NE, SELECT = 0x2F, 0x47, 0x1B
GLOBAL_GET, GLOBAL_SET, MEMORY = 0x23, 0x24, 0xFC
MEMORY_COPY, MEMORY_FILL = bytes([MEMORY, 10, 0, 0]), bytes([MEMORY, 11, 0])
I64_EQ, I64_NE, I64_AND, I64_OR, I64_SHR_S, I64_EXTEND_I32_U, I64_STORE = 0x51, 0x52, 0x83, 0x84, 0x87, 0xAD, 0x37
I32_LT_U, I32_SHR_U, I64_LT_U = 0x49, 0x76, 0x54
NULL, UNDEFINED, EXCEPTION, TRUE = 2 << 32, 3 << 32, 6 << 32, 1 << 32 | 1
SUBJECT, LAST_MATCH, OF_CONTEXT_RUNTIME = 16, 32, 8  # of sim/quickjs/layout.hpp; the last: where a context has the runtime
FRAME_SIZE, FRAME_AT = 224, 104  # what the interpreter has on its stack, and where in that a JSStackFrame is
INTERRUPT_COUNTER = 292  # of a context: layout::context of sim/quickjs/layout.hpp
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

    def with_local(self, function):
        """Adds a local of 32 bits to a function; its number, where its instructions begin now, and all of its bytes."""
        code = self.code[function - len(self.imported)]
        reader = Reader(code)
        groups = reader.u()
        declared = reader.at
        count = len(self.signature(function)[0])
        for _ in range(groups):
            count += reader.u()
            reader.bytes(1)
        head = uleb(groups + 1) + code[declared:reader.at] + bytes([1, 0x7F])
        return count, len(head), head + code[reader.at:]

    def text_at(self, text):
        """Where a text ends up in memory."""
        reader = Reader(self.section(11))
        for _ in range(reader.u()):
            if reader.bytes(2) != bytes([0, I32_CONST]):
                fail("a data segment without a place of its own")
            place = reader.u()  # the places are positive, so this is their value
            reader.bytes(1)
            found = reader.bytes(reader.u()).find(text)
            if found >= 0:
                return place + found
        return fail(f"no text {text} in the data")

    def write_text_at(self, text, data):
        """Puts `data` in place of a text that is not used any more; where that is in memory."""
        place = self.text_at(text)
        assert len(data) <= len(text)
        for section in self.sections:
            if section[0] == 11:
                section[1] = section[1].replace(text, data + text[len(data):])
        return place

    def calls(self, function, callee):
        """Whether a call of `callee` may stand in it: the bytes of one do."""
        start, code = self.body(function)
        return bytes([CALL]) + uleb(callee) in code[start:]

    def functions(self):
        return range(len(self.imported), len(self.imported) + len(self.code))

    def set_code(self, function, code):
        self.code[function - len(self.imported)] = bytes(code)

    def section_with(self, number, entry):
        """Adds an entry to a section; its index."""
        section = next(section for section in self.sections if section[0] == number)
        reader = Reader(section[1])
        count = reader.u()
        section[1] = uleb(count + 1) + section[1][reader.at:] + entry
        return count

    def add_function(self, like, code):
        """A function of the type of another one; its number."""
        self.type_of.append(self.type_of[like - len(self.imported)])
        self.code.append(bytes(code))
        return len(self.imported) + len(self.code) - 1

    def dump(self):
        out = bytearray(b"\0asm\1\0\0\0")
        for number, body in self.sections:
            if number == 3:
                body = uleb(len(self.type_of)) + b"".join(uleb(one) for one in self.type_of)
            if number == 10:
                body = uleb(len(self.code)) + b"".join(uleb(len(code)) + code for code in self.code)
            out += bytes([number]) + uleb(len(body)) + body
        return bytes(out)


def only(found, what):
    if len(found) != 1:
        fail(f"{what}: {len(found)} functions fit, and one should")
    return found[0]


def open_interpreter(module, host_call):
    """The interpreter goes to the label of each instruction by one br_table, whose index comes from a table in memory. Returns where that
    table is, and the entry that leads to the host."""
    found = []
    for function in module.functions():
        start, code = module.body(function)
        for at in range(start + 24, len(code)):
            # local.get pc, i32.load8_u, local.tee op, i32.const 2, i32.shl, i32.load table, i32.const 2, i32.sub, br_table
            if code[at] != BR_TABLE or code[at - 3:at] != bytes([I32_CONST, 2, I32_SUB]):
                continue
            before = code.rfind(bytes([I32_LOAD8_U, 0, 0, LOCAL_TEE]), start, at)
            if before >= start and at - before < 20 and code[before + 5:before + 9] == bytes([I32_CONST, 2, I32_SHL, I32_LOAD]):
                found.append((function, before, at))
    function, before, at = only(found, "the interpreter")
    _, code = module.body(function)
    pc = code[before - 1]
    table = Reader(code, before + 10)  # behind the alignment
    place = table.u()
    reader = Reader(code, at + 1)
    targets = [reader.u() for _ in range(reader.u())]
    otherwise = reader.u()
    # OP_push_i32, the label behind the table, begins with `*sp++ =`.
    if code[before - 2] != LOCAL_GET or table.at != at - 3 or code[reader.at:reader.at + 2] != bytes([END, LOCAL_GET]):
        fail("the interpreter has another form")
    sp = code[reader.at + 2]
    label, start, new = module.with_local(function)
    at += len(new) - len(code)
    end = reader.at + len(new) - len(code)
    # Two blocks more are around the labels of the table: the loop, and the way to the host.
    jump = bytes([LOCAL_SET]) + uleb(label) + bytes([LOOP, VOID, BLOCK, VOID, LOCAL_GET]) + uleb(label) + bytes([BR_TABLE])
    jump += uleb(len(targets) + 1) + b"".join(uleb(target + 2) for target in targets) + uleb(0) + uleb(otherwise + 2) + bytes([END])
    jump += bytes([I32_CONST]) + sleb(INSTRUCTION) + bytes([LOCAL_GET, pc, LOCAL_GET, sp, I32_CONST, 0, I32_CONST, 0, CALL])
    jump += uleb(host_call)
    jump += bytes([I32_CONST, 2, I32_SUB, LOCAL_SET]) + uleb(label) + bytes([BR, 0, END])
    module.set_code(function, new[:at] + jump + new[end:])
    return place, len(targets) + 2, function


def open_parser(module, host_call, table, stop):
    message = bytes([I32_CONST]) + sleb(module.text_at(b"duplicate label name\0"))
    parse = only([f for f in module.functions() if message in module.body(f)[1]], "js_parse_statement_or_decl")
    I32, source_loc = 0x7F, 203  # OP_source_loc
    emit = only([f for f in module.functions() if module.signature(f) == (bytes([I32] * 3), b"") and module.calls(parse, f)
                 and bytes([I32_CONST]) + sleb(source_loc) in module.body(f)[1]], "emit_source_loc_at")
    # emit_source_loc(parser) calls it with the function that is being parsed, and the line and column of a token.
    shape = re.compile(rb"\x20\x00(\x41.+?\x6a\x28\x02\x00)\x20\x00\x28\x02.\x20\x00\x28\x02.\x10" + re.escape(uleb(emit)) + rb"\x0b",
                       re.DOTALL)
    forms = [match for f in module.functions() if module.signature(f) == (bytes([I32]), b"")
             and (match := shape.fullmatch(module.body(f)[1], module.body(f)[0]))]
    function = only(forms, "emit_source_loc")[1]
    place_calls(module, emit, function)

    def told(*arguments):
        asked = bytes([I32_CONST]) + sleb(STATEMENT) + bytes([LOCAL_GET, 0])
        asked += b"".join(bytes([I32_CONST]) + sleb(argument) for argument in (*arguments, 0)) + bytes([CALL]) + uleb(host_call)
        marked = bytes([IF, VOID, LOCAL_GET, 0]) + function + bytes([LOCAL_GET, 2, I32_CONST, 0, CALL]) + uleb(emit) + bytes([END])
        return asked + bytes([LOCAL_TEE, 2]) + marked

    # A function around it, which all call instead.
    whole = told(table, stop) + bytes([LOCAL_GET, 0, LOCAL_GET, 1, CALL]) + uleb(parse) + told(0, 0) + bytes([END])
    callers = [f for f in module.functions() if module.calls(f, parse)]
    around = module.add_function(parse, bytes([1, 1, I32]) + whole)
    for caller in callers:
        start, code = module.body(caller)
        module.set_code(caller, code[:start] + code[start:].replace(bytes([CALL]) + uleb(parse), bytes([CALL]) + uleb(around)))

    number, start, code = module.with_local(emit)
    asked = bytes([I32_CONST]) + sleb(POSITION) + bytes([LOCAL_GET, 0, LOCAL_GET, 1, LOCAL_GET, 2, I32_CONST, 0, CALL]) + uleb(host_call)
    asked += bytes([LOCAL_TEE]) + uleb(number)
    replaced = bytes([IF, VOID, LOCAL_GET]) + uleb(number) + bytes([LOCAL_SET, 1, LOCAL_GET, 1, I32_CONST]) + sleb(0x1E3779B1)
    replaced += bytes([I32_MUL, I32_CONST]) + sleb(0x3FFFFFFF) + bytes([I32_AND, LOCAL_SET, 2, END])
    module.set_code(emit, code[:start] + asked + replaced + code[start:])


def place_calls(module, emit, function):
    """A call's own place, directly before its instruction: js_parse_postfix_expr() keeps that of `(` in locals of its own when it comes
    to one. (QuickJS's columns of what is no name are those of the last name.)"""
    LINE, PTR, EOL = 28, 36, 88  # of the parser: the token's line and text, and the character before its line
    OP_drop = 14
    message = bytes([I32_CONST]) + sleb(module.text_at(b"private class field forbidden after super\0"))
    parse = only([f for f in module.functions() if message in module.body(f)[1]], "js_parse_postfix_expr")
    line, _, code = module.with_local(parse)
    module.set_code(parse, code)
    column, start, code = module.with_local(parse)

    # `parse_func_call: if (next_token(s)) return -1; if (call_type == FUNC_CALL_NORMAL)`
    form = rb"\x20\x00\x10..\x0d.\x41\x00\x21.\x20.\x04\x40\x41\x00\x21.\x20.\x21.\x0c"
    called = start + only_match(form, code, start, "parse_func_call").start()
    token_line = bytes([LOCAL_GET, 0, I32_LOAD, 2, LINE])
    token_column = bytes([LOCAL_GET, 0, I32_LOAD, 2, PTR, LOCAL_GET, 0, I32_LOAD, 2, EOL, I32_SUB])
    kept = token_line + bytes([LOCAL_SET]) + uleb(line) + token_column + bytes([LOCAL_SET]) + uleb(column)
    code = code[:called] + kept + code[called:]

    # `switch (opcode)` behind the arguments, with a spread one and without: emit_op(s, OP_drop) before it, or the function's bytecode.
    switch = rb"(?:\x02\x40){4}\x20.\x41" + re.escape(sleb(193)) + rb"\x6b\x0e\x03\x01\x03\x01\x00"
    spread = only_match(rb"\x20.\x28\x02\x00\x41" + bytes([OP_drop]) + rb"\x10..(?=" + switch + rb")", code, start, "a call that spreads")
    plain = only_match(rb"\x20.\x28\x02\x00\x21.(?=" + switch + rb")", code, start, "a call")
    place = bytes([LOCAL_GET]) + uleb(line) + bytes([IF, VOID, LOCAL_GET, 0]) + function
    place += bytes([LOCAL_GET]) + uleb(line) + bytes([LOCAL_GET]) + uleb(column) + bytes([CALL]) + uleb(emit)
    place += bytes([I32_CONST, 0, LOCAL_SET]) + uleb(line) + bytes([END])
    for at in sorted((start + spread.end(), start + plain.start()), reverse=True):
        code = code[:at] + place + code[at:]
    module.set_code(parse, code)

    message = bytes([I32_CONST]) + sleb(module.text_at(b"rest element must be the last one\0"))
    pattern = only([f for f in module.functions() if message in module.body(f)[1]
                    and module.signature(f) == (bytes([0x7F] * 7), bytes([0x7F]))], "js_parse_destructuring_element")
    start, code = module.body(pattern)
    place = bytes([LOCAL_GET, 0]) + function + token_line + token_column + bytes([CALL]) + uleb(emit)
    module.set_code(pattern, code[:start] + place + code[start:])


# OP_dup3, OP_drop, OP_call_method with no arguments, OP_await, OP_iterator_get_value_done: how `for await` asks for the next value.
NEXT_OF_FOR_AWAIT = bytes([20, 14, 36, 0, 0, 138, 130])
# When the body of a `for await` has thrown, the call of return() is waited for (ECMAScript, AsyncIteratorClose), which QuickJS does not.
# The iterator, its next method and the exception are on the stack: OP_nip, OP_catch to the last two instructions, OP_undefined,
# OP_iterator_call of `return` without an argument, OP_if_true8 over OP_await when there is none, then OP_drop the result and the catch
# offset, OP_throw; and where return() or what it gave has failed OP_drop that, OP_throw. It takes the place of a message that nothing
# shows.
AFTER_THROW = bytes([15, 107, 13, 0, 0, 0, 6, 133, 2, 241, 2, 138, 14, 14, 48, 14, 48])
CATCH_OFFSET = 5  # JS_TAG_CATCH_OFFSET


def only_match(pattern, code, start, what):
    found = list(re.finditer(pattern, code[start:], re.DOTALL))
    if len(found) != 1:
        fail(f"{what}: found {len(found)} times")
    return found[0]


def repair_iterators(module, host_call, call_resolve, call_await):
    """What an iterator does wrong itself does not close it (ECMAScript, IteratorStep, ForIn/OfBodyEvaluation): neither where values are
    spread into an array or arguments, nor in `for await`, which waits for return() when its body throws. Of an iterator that is not
    asynchronous the host decides: V8 closes it since 13."""
    close = only([f for f in module.functions() if module.signature(f) == (bytes([0x7F, 0x7E, 0x7F]), bytes([0x7F]))
                  and len([c for c in module.functions() if module.calls(c, f)]) > 15 and is_iterator_close(module, f)], "JS_IteratorClose")
    free = module.exported["JS_FreeValue"]
    message = bytes([I32_CONST]) + sleb(module.text_at(b"invalid index for append\0"))
    interpreter = only([f for f in module.functions() if message in module.body(f)[1]], "the interpreter")
    call_close = bytes([CALL]) + uleb(close)
    call_free = bytes([CALL]) + uleb(free)
    close_of_sync(module, host_call, call_close, call_free, call_resolve, call_await)

    # js_append_enumerate(), which the compiler has put there: only `next` can have thrown.
    _, start, code = module.with_local(interpreter)
    pattern = rb"(\x20.\x20.)\x41\x01" + re.escape(call_close + bytes([DROP])) + rb"(?=\1" + re.escape(call_free) + rb")"
    found = only_match(pattern, code, start, "js_append_enumerate")
    code = code[:start + found.start()] + code[start + found.end():]

    # The way of an exception up the stack of values goes by what an enumerator keeps there, if this is its own exception.
    uncatchable = bytes([CALL]) + uleb(module.exported["JS_IsUncatchableError"]) + bytes([BR_IF, 0, LOOP, VOID])
    throws = start + only_match(re.escape(uncatchable), code, start, "the way of an exception").end() - 2
    has_offset = bytes([I64_AND, I64_CONST]) + sleb(CATCH_OFFSET << 32) + bytes([I64_NE, BR_IF, 0])
    at = code.index(has_offset, throws) + len(has_offset)
    pc = only_match(rb"\x28\x02\x0c\x20.\x6a\x21(.)\x20.\x21", code[:at + 150], at, "where a catch block is").group(1)[0]
    failed, _, _ = module.with_local(interpreter)  # the same number that `code` has
    asks = module.add_function(module.exported["malloc"], asks_for_next())
    by = bytes([LOCAL_GET]) + uleb(failed) + bytes([CALL]) + uleb(asks) + bytes([I32_CONST, 0, LOCAL_SET]) + uleb(failed)
    by += bytes([BR_IF, 0])
    code = code[:throws] + bytes([LOCAL_GET, pc, LOCAL_SET]) + uleb(failed) + code[throws:at] + by + code[at:]

    # What OP_for_await_of_start keeps there is no enumerator's zero, but the offset of AFTER_THROW from the function's own code.
    offset = re.escape(sleb(CATCH_OFFSET << 32))
    function = only_match(rb"\x28\x00\x00\x6a\x20(.)\x28\x02\x0c\x6b\xad\x42" + offset + rb"\x84", code, start, "OP_catch").group(1)[0]
    begins = only_match(rb"\x41\x01\x10..\x0d..\x20.(\x42" + offset + rb")\x37\x03\x08", code, start, "OP_for_await_of_start")
    place = module.write_text_at(b"not an Async-from-Sync Iterator\0", AFTER_THROW)
    made = bytes([I32_CONST]) + sleb(place) + bytes([LOCAL_GET, function, I32_LOAD, 2, 12, I32_SUB, I64_EXTEND_I32_U, I64_CONST])
    made += sleb(CATCH_OFFSET << 32) + bytes([I64_OR])
    module.set_code(interpreter, code[:start + begins.start(1)] + made + code[start + begins.end(1):])


def is_iterator_close(module, function):
    """It asks for `return`: JS_GetProperty(ctx, iterator, JS_ATOM_return)."""
    start, code = module.body(function)
    asked = bytes([LOCAL_GET, 0, LOCAL_GET, 1, I32_CONST, 6, CALL]) + uleb(module.exported["JS_GetProperty"])
    return asked in code[start:]


def asks_for_next():
    """Whether the instructions at pc are those by which `for await` asks for a value: those of the call, of await or of what reads its
    result have thrown, and pc is behind them."""
    code = b""
    for behind in (5, 6, 7):
        code += bytes([LOCAL_GET, 0, I32_CONST]) + sleb(behind) + bytes([I32_SUB, I64_LOAD, 0, 0, I64_CONST]) + sleb((1 << 56) - 1)
        code += bytes([I64_AND, I64_CONST]) + sleb(int.from_bytes(NEXT_OF_FOR_AWAIT, "little"))
        code += bytes([I64_EQ]) + (b"" if behind == 5 else bytes([I32_OR]))
    return bytes([0, LOCAL_GET, 0, IF, 0x7F]) + code + bytes([ELSE, I32_CONST, 0, END, END])


def close_of_sync(module, host_call, call_close, call_free, call_resolve, call_await):
    message = bytes([I32_CONST]) + sleb(module.text_at(b"not an Async-from-Sync Iterator\0"))
    function = only([f for f in module.functions() if message in module.body(f)[1]], "js_async_from_sync_iterator_next")
    magic, start, code = module.with_local(function)
    # Its local with the iterator's data: `s = JS_GetOpaque(...); if (s) goto ...`
    data = only_match(rb"\x28\x02\x18\x22(.)\x0d\x01\x0b", code, start, "JS_GetOpaque").group(1)[0]
    asked = bytes([I32_CONST]) + sleb(CLOSE)
    # resolve_reject[1] = JS_UNDEFINED, and what perform_promise_then() gets.
    handler = only_match(rb"\x20(.)\x42" + re.escape(sleb(UNDEFINED)) + rb"\x37\x03\x08(.*?\x10..(?=\x20\x00\x20.\x10))", code, start,
                         "resolve_reject[1]")
    frame = handler.group(1)[0]
    done = only_match(rb"\x20" + bytes([frame]) + rb"\x28\x02(.)\x41\x00\x47", code, start, "done").group(1)[0]
    to_handler = asked + bytes([LOCAL_GET, frame, I32_CONST, 8, I32_ADD, LOCAL_GET]) + uleb(magic)
    to_handler += bytes([LOCAL_GET, data, LOCAL_GET, frame, I32_LOAD, 2, done, CALL]) + uleb(host_call) + bytes([DROP])
    freed = bytes([LOCAL_GET, 0, LOCAL_GET, frame, I64_LOAD, 3, 8]) + call_free
    at = start + handler.start(2)
    end = start + handler.end(2)
    code = code[:at] + to_handler + code[at:end] + freed + code[end:]
    # Without throw(): where the host does not close, the error is passed on, as ECMAScript had it up to 2024.
    closes = rb"\x20\x00\x20" + bytes([data]) + rb"\x29\x03\x00\x41\x00" + re.escape(call_close)
    lacks = start + only_match(closes, code, start, "no throw()").start()
    passes = asked + bytes([I32_CONST, 0, I32_CONST, 2, I32_CONST, 0, I32_CONST, 0, CALL]) + uleb(host_call) + bytes([I32_EQZ, IF, VOID])
    passes += bytes([LOCAL_GET, 0, LOCAL_GET, 3, I64_LOAD, 3, 0, CALL]) + uleb(module.exported["JS_DupValue"])
    passes += bytes([LOCAL_SET, 1, BR, 3, END])
    code = code[:lacks] + passes + code[lacks:]
    # reject: err = JS_GetException(ctx), the last one.
    taken = rb"\x20\x00\x28\x02\x08\x22.\x29\x03\x88\x05"
    reject = start + [found.start() for found in re.finditer(taken, code[start:], re.DOTALL)][-1]
    closes = asked + bytes([I32_CONST, 0, LOCAL_GET]) + uleb(magic) + bytes([I32_CONST, 0, I32_CONST, 0, CALL]) + uleb(host_call)
    closes += bytes([IF, VOID, LOCAL_GET, 0, LOCAL_GET, data, I64_LOAD, 3, 0, I32_CONST, 1]) + call_close + bytes([DROP, END])
    code = code[:reject] + closes + code[reject:]
    # value = js_promise_resolve(ctx, ctx->promise_ctor, 1, &value, 0): waited for as await does
    if code[start:].count(call_resolve) != 1:
        fail("js_async_from_sync_iterator_next calls js_promise_resolve at other places")
    body = code[start:].replace(call_resolve, call_await)
    module.set_code(function, code[:start] + bytes([LOCAL_GET, 4, LOCAL_SET]) + uleb(magic) + body)


def yield_star_awaits(module, host_call):
    """Up to V8 10, yield* awaited what the iterator of an async generator gives: OP_await before OP_async_yield_star."""
    OP_await, OP_async_yield_star = 138, 137
    emitted = rb"(\x20.\x28\x02\x00\x41)" + re.escape(sleb(OP_async_yield_star)) + rb"(\x10..)"
    found = [(f, match) for f in module.functions() for match in re.finditer(emitted, module.body(f)[1], re.DOTALL)]
    if len(found) != 1:
        fail(f"yield*: {len(found)} places fit, and one should")
    function, match = found[0]
    asked = bytes([I32_CONST]) + sleb(YIELD_STAR) + bytes([I32_CONST, 0]) * 4 + bytes([CALL]) + uleb(host_call)
    code = match.string
    awaits = bytes([IF, VOID]) + match[1] + sleb(OP_await) + match[2] + bytes([END])
    module.set_code(function, code[:match.start()] + asked + awaits + code[match.start():])


def end_awaits(module, host_call, emit_return, emit_op):
    """Before V8 7.3 an async generator that came to its end awaited undefined, as if it returned that."""
    OP_undefined, ASYNC_GENERATOR = 6, 3
    _, code = module.body(emit_return)
    shape = rb"\x20\x00\x41(?P<at>..)\x6a\x22.\x28\x02\x00\x22.(?P<kind>\x28\x02.\x41.\x76\x41\xff\x01\x71)\x22"
    found = only_match(shape, code, 0, "the kind of a function")
    current = bytes([LOCAL_GET, 0, I32_LOAD, 2]) + uleb(Reader(found["at"]).u())  # s->cur_func

    def emit(has_value):
        return bytes([LOCAL_GET, 0, I32_CONST, has_value, CALL]) + uleb(emit_return)

    # if (js_is_live_code(s)) emit_return(s, false)
    at_end = bytes([I32_EQZ, BR_IF, 0])
    function = only([f for f in module.functions() if at_end + emit(0) in module.body(f)[1]], "js_parse_function_decl2")
    start, code = module.body(function)
    asked = bytes([I32_CONST]) + sleb(END_AWAITS) + bytes([I32_CONST, 0]) * 4 + bytes([CALL]) + uleb(host_call)
    awaits = current + found["kind"] + bytes([I32_CONST, ASYNC_GENERATOR, I32_EQ, IF, 0x7F]) + asked + bytes([ELSE, I32_CONST, 0, END])
    either = bytes([IF, VOID]) + current + bytes([I32_CONST, OP_undefined]) + emit_op + emit(1) + bytes([ELSE]) + emit(0) + bytes([END])
    module.set_code(function, code[:start] + code[start:].replace(at_end + emit(0), at_end + awaits + either))


def rejects_own_first(module, host_call):
    """A module that fails rejects its own promise and then those of the modules that wait for it (ECMAScript since 2025,
    AsyncModuleExecutionRejected, and V8 14): QuickJS does it behind them, which the host may ask for."""
    name = bytes([I32_CONST]) + sleb(module.text_at(b"js_async_module_execution_rejected\0"))
    function = only([f for f in module.functions() if name in module.body(f)[1]], "js_async_module_execution_rejected")
    is_first, start, code = module.with_local(function)
    # for (i = 0; i < module->async_parent_modules_count; i++)
    loop = only_match(rb"\x41\x00\x21.\x41\x00\x21.\x03\x40\x20", code, start, "the modules that wait for one")
    # if (!JS_IsUndefined(module->promise)): a comparison, and a branch past JS_Call(ctx, module->resolving_funcs[1], ...)
    undefined = rb"\x42" + re.escape(sleb(UNDEFINED))
    own = only_match(undefined + rb"(?P<is_undefined>\x20.\x35\x02..\x42\x20\x86" + undefined + rb"\x51)(?P<branch>\x0d\x00)\x1a.{1,20}?"
                     rb"(?P<reject>\x20\x00\x20\x00\x20.\x29\x03..(?:" + undefined + rb")\x41\x01\x20.\x41\x08\x6a\x10.\x10.)",
                     code, start, "its own promise")
    first = bytes([I32_CONST]) + sleb(OWN_FIRST) + bytes([I32_CONST, 0]) * 4 + bytes([CALL]) + uleb(host_call) + bytes([LOCAL_TEE])
    first += uleb(is_first) + own["is_undefined"] + bytes([I32_EQZ, I32_AND, IF, VOID]) + own["reject"] + bytes([END])
    before, branch = start + loop.start(), start + own.start("branch")
    module.set_code(function, code[:before] + first + code[before:branch] + bytes([LOCAL_GET]) + uleb(is_first) + bytes([I32_OR])
                    + code[branch:])


def repair_return_of_yield_star(module, host_call):
    """What return() of the inner iterator gives is returned as it is: QuickJS awaits it. The await that is right stands where there is no
    such method: behind OP_iterator_call and before the generator's own return."""
    OP_await, OP_if_false, OP_if_true, OP_goto = 138, 104, 105, 106
    emit = rb"\x20\x01\x28\x02\x00\x41\x0f\x10.."  # emit_op(s, OP_nip)
    shape = re.compile(rb"\x20\x00\x20.(?P<emit_label>\x10..)(?:" + emit + rb"){2}\x20\x01\x28\x02\x00\x41\x0f(?P<emit_op>\x10..)"
                       rb"\x20\x00\x41(?P<hasval>\x01)\x10(?P<emit_return>..)", re.DOTALL)
    forms = [(f, match) for f in module.functions() for match in shape.finditer(module.body(f)[1])]
    function, nips = only(forms, "yield*")
    new_local, start, code = module.with_local(function)
    shift = len(code) - len(nips.string)
    form = rb"\x22(.)\x45\x04\x40.{1,40}\x41\xf0\x01\x6a\x41\x00\x10..(\x20\x00\x41" + re.escape(sleb(OP_if_true))
    form += rb"\x41\x7f(\x10..))\x21"
    goto = only_match(form, code[:nips.start() + shift], start, "yield*: where there is no return()")
    is_sync = goto.group(1)[0]

    def emit_goto(op):
        return bytes([LOCAL_GET, 0, I32_CONST]) + sleb(op) + bytes([I32_CONST]) + sleb(-1) + goto.group(3)

    missing = emit_goto(OP_if_false) + bytes([LOCAL_SET]) + uleb(new_local)
    missing += bytes([LOCAL_GET, 1, I32_LOAD, 2, 0, I32_CONST]) + sleb(OP_await) + nips["emit_op"] + emit_goto(OP_goto)
    missing += bytes([LOCAL_GET, 0, LOCAL_GET]) + uleb(new_local) + nips["emit_label"]
    jumps = bytes([LOCAL_GET, is_sync, IF, 0x7F]) + goto.group(2) + bytes([ELSE]) + missing + bytes([END])
    at, end = start + goto.start(2), start + goto.end(2)
    last = nips.start("hasval") + shift
    hasval = bytes([1, LOCAL_GET, is_sync, I32_EQZ, I32_ADD])  # 2: without an await
    module.set_code(function, code[:at] + jumps + code[end:last] + hasval + code[last + 1:])

    emit_return = Reader(nips["emit_return"]).u()
    start, code = module.body(emit_return)
    end_awaits(module, host_call, emit_return, nips["emit_op"])
    form = rb"\x04\x7f(?P<before>)\x41\x01\x21\x01\x20\x04\x41\x03\x47(?P<after>)\x0d\x01\x41" + re.escape(sleb(OP_await))
    awaits = only_match(form, code, start, "emit_return")
    before, after = start + awaits.start("before"), start + awaits.start("after")
    module.set_code(emit_return, code[:before] + bytes([LOCAL_GET, 1, I32_CONST, 2, I32_EQ]) + code[before:after] + bytes([I32_OR])
                    + code[after:])


def repair_spread(module):
    """`{ ...'ab' }` has the string's letters: JS_CopyDataProperties() takes objects only."""
    copy = only([f for f in module.functions() if module.signature(f) == (bytes([0x7F, 0x7E, 0x7E, 0x7E, 0x7F]), bytes([0x7F]))
                 and len([c for c in module.functions() if module.calls(c, f)]) == 2], "JS_CopyDataProperties")
    STRING, ROPE, EXCEPTION, OBJECT = -7, -6, 6, 5  # tags, and the local of the object
    tag = bytes([LOCAL_GET, 2, I64_CONST, 32, I64_SHR_S, I32_WRAP_I64, I32_CONST])
    is_string = tag + sleb(STRING) + bytes([I32_EQ]) + tag + sleb(ROPE) + bytes([I32_EQ, I32_OR])
    call = bytes([CALL]) + uleb(copy)
    made = bytes([LOCAL_GET, 0, LOCAL_GET, 2, CALL]) + uleb(module.exported["JS_ToObject"]) + bytes([LOCAL_TEE, OBJECT, I64_CONST])
    made += sleb(EXCEPTION << 32) + bytes([I64_EQ, IF, VOID, I32_CONST]) + sleb(-1) + bytes([RETURN, END])
    copied = bytes([LOCAL_GET, 0, LOCAL_GET, 1, LOCAL_GET, OBJECT, LOCAL_GET, 3, LOCAL_GET, 4]) + call
    freed = bytes([LOCAL_GET, 0, LOCAL_GET, OBJECT, CALL]) + uleb(module.exported["JS_FreeValue"])
    as_before = b"".join(bytes([LOCAL_GET, i]) for i in range(5)) + call
    callers = [f for f in module.functions() if module.calls(f, copy)]
    whole = is_string + bytes([IF, 0x7F]) + made + copied + freed + bytes([ELSE]) + as_before + bytes([END, END])
    around = module.add_function(copy, bytes([1, 1, 0x7E]) + whole)
    for caller in callers:
        start, code = module.body(caller)
        module.set_code(caller, code[:start] + code[start:].replace(call, bytes([CALL]) + uleb(around)))


def resolved_again(module, host_call, settle):
    """A resolving function of a promise that has been resolved: what it is called with is told, where QuickJS only returns."""
    function = only([f for f in module.functions() if module.calls(f, settle)], "js_promise_resolve_function_call")
    start, code = module.body(function)
    # s = p->u.promise_function_data; if (!s || s->presolved->already_resolved) ...; in a block that ends behind all of it.
    shape = rb"\xa7\x22(?P<p>.)\x28\x02\x18\x22(?P<s>.)\x45\x0d\x00\x20(?P=s)\x28\x02\x08\x22.\x2d\x00\x04(?P<leaves>\x0d\x00)"
    found = only_match(shape, code, start, "already_resolved")
    p, data = found["p"][0], found["s"][0]
    # is_reject = p->class_id - JS_CLASS_PROMISE_RESOLVE_FUNCTION
    kind = only_match(rb"\x20" + found["p"] + rb"\x2f\x01\x0a\x21(?P<kind>.)", code, start, "class_id")["kind"]
    resolves = only_match(rb"\x20" + kind + rb"\x41(.)\x47\x22" + kind, code, start, "is_reject")[1][0]
    argc, argv = 3, 4  # its parameters
    told = bytes([IF, VOID, I32_CONST]) + sleb(AGAIN) + bytes([LOCAL_GET, data, I32_LOAD, 2, 0])
    told += bytes([LOCAL_GET, p, I32_LOAD16_U, 1, 10, I32_CONST, resolves, I32_NE, LOCAL_GET, argc, LOCAL_GET, argv, CALL])
    told += uleb(host_call) + bytes([DROP, BR, 1, END])
    at, end = start + found.start("leaves"), start + found.end("leaves")
    module.set_code(function, code[:at] + told + code[end:])


def repair_finally(module, resolve, resume):
    """finally() of a promise whose constructor names no species: JS_SpeciesConstructor(ctx, this_val, JS_UNDEFINED) is to give Promise."""
    I32, I64 = 0x7F, 0x7E
    shape = re.compile(rb"\x20\x00\x20\x01(?P<default>\x42" + re.escape(sleb(UNDEFINED)) + rb")\x10(?P<species>..)\x22", re.DOTALL)
    forms = [(f, match) for f in module.functions() if module.signature(f) == (bytes([I32, I64, I32, I32]), bytes([I64]))
             and module.calls(f, module.exported["JS_NewCFunctionData"]) for match in shape.finditer(module.body(f)[1])
             if module.signature(Reader(match["species"]).u()) == (bytes([I32, I64, I64]), bytes([I64]))]
    function, found = only(forms, "js_promise_finally")
    # ctx->promise_ctor, as await has it: js_promise_resolve(ctx, ctx->promise_ctor, 1, ...)
    start, code = module.body(resume)
    place = rb"\x20\x00\x20\x00\x29\x03(.)\x20.\x20.\x41.\x6a\x41\x00\x10" + re.escape(uleb(resolve))
    places = {match[1] for match in re.finditer(place, code[start:], re.DOTALL)}
    if len(places) != 1:
        fail(f"ctx->promise_ctor: {len(places)} places fit, and one should")
    code = found.string
    promise = bytes([LOCAL_GET, 0, I64_LOAD, 3]) + places.pop()
    module.set_code(function, code[:found.start("default")] + promise + code[found.end("default"):])


def reject_failed_dispose(module, host_call):
    """`await using` of a value with [Symbol.dispose]() alone: what that throws is the rejection of a promise, which is waited for."""
    I32, I64 = 0x7F, 0x7E
    called = bytes([LOCAL_GET, 0, LOCAL_GET, 5, I64_LOAD, 3, 0, LOCAL_GET, 1, I32_CONST, 0, I32_CONST, 0, CALL])
    called += uleb(module.exported["JS_Call"]) + bytes([LOCAL_TEE, 1])
    thrown = bytes([ELSE, I64_CONST]) + sleb(EXCEPTION) + bytes([END, END])
    freed = bytes([LOCAL_GET, 0, LOCAL_GET, 1, CALL]) + uleb(module.exported["JS_FreeValue"])
    freed += bytes([I64_CONST]) + sleb(UNDEFINED) + thrown
    function = only([f for f in module.functions() if module.signature(f) == (bytes([I32, I64, I32, I32, I32, I32]), bytes([I64]))
                     and called in module.body(f)[1] and module.body(f)[1].endswith(freed)], "js_sync_dispose_wrapper")
    _, code = module.body(function)
    asked = bytes([I32_CONST]) + sleb(DISPOSE_FAILED) + bytes([I32_CONST, 0]) * 4 + bytes([CALL]) + uleb(host_call)
    asked += bytes([LOCAL_TEE, 2, IF, I64, LOCAL_GET, 2, I64_LOAD, 3, 0, ELSE, I64_CONST]) + sleb(EXCEPTION) + bytes([END])
    module.set_code(function, code[:-len(thrown)] + bytes([ELSE]) + asked + bytes([END, END]))


def repair_find(module):
    """js_array_find() frees the element and its number behind each call, and both again when the interrupt at the next round ends it."""
    I32, I64, I64_ADD = 0x7F, 0x7E, 0x7C
    free = re.escape(bytes([CALL]) + uleb(module.exported["JS_FreeValue"]))
    get = bytes([LOCAL_GET, 0, LOCAL_GET])
    shape = re.compile(re.escape(get) + rb"(.)" + free + re.escape(get) + rb"(.)" + free + bytes([LOCAL_GET]) + rb"(.)"
                       + bytes([LOCAL_GET]) + rb"." + re.escape(bytes([I64_ADD, LOCAL_SET])) + rb"\3" + bytes([BR]), re.DOTALL)
    found = [(f, match) for f in module.functions() if module.signature(f) == (bytes([I32, I64, I32, I32, I32]), bytes([I64]))
             for match in shape.finditer(module.body(f)[1])]
    function, match = only(found, "js_array_find")
    _, code = module.body(function)
    cleared = b"".join(bytes([I64_CONST]) + sleb(UNDEFINED) + bytes([LOCAL_SET]) + match.group(group) for group in (1, 2))
    module.set_code(function, code[:match.start(3) - 1] + cleared + code[match.start(3) - 1:])


# As sim/quickjs/loading/originals.cpp has it: what marks an atom in the library's code, the last atom that an entry of the table may be
# asked for without it, and what marks a function of the library; and as layout.hpp does.
OF_LIBRARY, LAST_PROTOCOL, LIBRARY_MARK = 1 << 30, 255, 10
CURRENT_FRAME, FRAME_FUNCTION, CLASS_ID, FUNCTION_CODE, ATOMS = 660, 8, 10, 24, 568
C_FUNCTION, C_FUNCTION_DATA, C_CLOSURE, WITH_CODE = 12, 15, 16, (13, 17, 55, 59)
ATOM_LENGTH = 51


def offset_in(module, function, operation):
    """The offset at which an exported function of one instruction accesses its first argument."""
    start, code = module.body(function)
    found = re.search(re.escape(bytes([operation, 2])), code[start:])
    return Reader(code, start + found.end()).u()


def is_called_by_library(module, runtime):
    """A function of the context: whether the innermost function that has bytecode is the library's."""
    FRAME, FUNCTION, CLASS = 1, 2, 3
    is_native = bytes([LOCAL_GET, CLASS, I32_CONST, C_FUNCTION, I32_EQ, LOCAL_GET, CLASS, I32_CONST, C_FUNCTION_DATA, I32_SUB])
    is_native += bytes([I32_CONST, C_CLOSURE - C_FUNCTION_DATA + 1, I32_LT_U, I32_OR])
    code = bytes([1, 3, 0x7F, LOCAL_GET, 0, I32_LOAD, 2, runtime, I32_LOAD, 2]) + uleb(CURRENT_FRAME) + bytes([LOCAL_SET, FRAME])
    code += bytes([LOOP, VOID, LOCAL_GET, FRAME, I32_EQZ, IF, VOID, I32_CONST, 0, RETURN, END])
    code += bytes([LOCAL_GET, FRAME, I32_LOAD, 2, FRAME_FUNCTION, LOCAL_TEE, FUNCTION, I32_LOAD16_U, 1, CLASS_ID, LOCAL_SET, CLASS])
    code += is_native + bytes([IF, VOID, LOCAL_GET, FRAME, I32_LOAD, 2, 0, LOCAL_SET, FRAME, BR, 1, END, END])
    code += b"".join(bytes([LOCAL_GET, CLASS, I32_CONST, one, I32_EQ]) for one in WITH_CODE) + bytes([I32_OR] * (len(WITH_CODE) - 1))
    code += bytes([IF, 0x7F, LOCAL_GET, FUNCTION, I32_LOAD, 2, FUNCTION_CODE, I32_LOAD8_U, 0, LIBRARY_MARK, ELSE, I32_CONST, 0, END, END])
    return module.add_function(module.exported["malloc"], code)


def note_matches(module):
    """The last match that a regular expression has found for the program, not for the library, is in memory at LAST_MATCH: the expression,
    the text, where the search began, and how many there were. RegExp.$1 and its kind look for it again (internal/regexp_statics.js)."""
    I32, I64 = 0x7F, 0x7E
    message = bytes([I32_CONST]) + sleb(module.text_at(b"out of memory in regexp execution\0"))
    callers = [f for f in module.functions() if message in module.body(f)[1]]
    if len(callers) != 2:
        fail(f"regular expressions: {len(callers)} functions fit, and two should")
    execute = only([f for f in module.functions() if module.signature(f) == (bytes([I32] * 7), bytes([I32]))
                    and all(module.calls(caller, f) for caller in callers)], "lre_exec")
    by_library = is_called_by_library(module, offset_in(module, module.exported["JS_GetRuntime"], I32_LOAD))
    CONTEXT, EXPRESSION, TEXT, INDEX = range(4)
    code = bytes([2, 2, I64, 1, I32, LOCAL_GET, CONTEXT, CALL]) + uleb(by_library) + bytes([I32_EQZ, IF, VOID])
    for i, value in enumerate((EXPRESSION, TEXT)):
        at, before = uleb(LAST_MATCH + 8 * i), 4 + i
        code += bytes([I32_CONST, 0, I64_LOAD, 3]) + at + bytes([LOCAL_TEE, before, LOCAL_GET, value, I64_NE, IF, VOID])
        code += bytes([LOCAL_GET, value, I32_WRAP_I64, I32_CONST, 4, I32_SUB, LOCAL_TEE, 6, LOCAL_GET, 6, I32_LOAD, 2, 0])
        code += bytes([I32_CONST, 1, I32_ADD, I32_STORE, 2, 0])  # its count of references
        code += bytes([I32_CONST, 0, LOCAL_GET, value, I64_STORE, 3]) + at
        code += bytes([LOCAL_GET, CONTEXT, LOCAL_GET, before, CALL]) + uleb(module.exported["JS_FreeValue"]) + bytes([END])
    code += bytes([I32_CONST, 0, LOCAL_GET, INDEX, I32_STORE, 2]) + uleb(LAST_MATCH + 16)
    code += bytes([I32_CONST, 0, I32_CONST, 0, I32_LOAD, 2]) + uleb(LAST_MATCH + 20) + bytes([I32_CONST, 1, I32_ADD, I32_STORE, 2])
    code += uleb(LAST_MATCH + 20) + bytes([END, END])
    module.types.append((bytes([I32, I64, I64, I32]), b""))
    kind = module.section_with(1, bytes([0x60, 4, I32, I64, I64, I32, 0]))
    module.type_of.append(kind)
    module.code.append(bytes(code))
    note = len(module.imported) + len(module.code) - 1
    shape = re.compile(rb"\x20(?P<index>.)\xa7\x20.{2,12}?\x20\x00\x10" + re.escape(uleb(execute))
                       + rb"\x22(?P<result>.)(?P<place>)\x41\x01\x47\x04\x40", re.DOTALL)
    for caller in callers:
        start, code = module.body(caller)
        match = only(list(shape.finditer(code, start)), "a call of lre_exec")
        text = list(re.finditer(rb"\x20(.)\xa7\x22.\x28\x02\x00", code[start:match.start()], re.DOTALL))[-1][1]
        found = bytes([I32_CONST, 1, I32_EQ, IF, VOID, LOCAL_GET, 0, LOCAL_GET, 1, LOCAL_GET]) + text + bytes([LOCAL_GET]) + match["index"]
        found += bytes([I32_WRAP_I64, CALL]) + uleb(note) + bytes([END, LOCAL_GET]) + match["result"]
        module.set_code(caller, code[:match.start("place")] + found + code[match.start("place"):])


def keep_originals(module):
    """JS_GetPropertyInternal() gives the original of a member, where the library's code asks for the member: an atom with OF_LIBRARY says
    so, and for what QuickJS itself asks for, as the members of an iterator, the function that runs. An original is a member with a
    private symbol, and the context has the table of these by atom."""
    I32, I64 = 0x7F, 0x7E
    signature = (bytes([I32, I64, I32, I64, I32]), bytes([I64]))
    get = only([f for f in module.functions() if module.signature(f) == signature and module.calls(module.exported["JS_GetProperty"], f)],
               "JS_GetPropertyInternal")
    runtime = offset_in(module, module.exported["JS_GetRuntime"], I32_LOAD)
    table = offset_in(module, module.exported["JS_SetContextOpaque"], I32_STORE)
    by_library = is_called_by_library(module, runtime)
    # OP_get_field and OP_get_field2 look along the prototypes themselves, where `this` is an object.
    own = rb"\x20.\x41.{1,2}?\x6a\x20(?P=object)\x20(?P<atom>.)\x10(?P<find>[^\x22]+)\x22"
    shape = rb"\x20(?P<value>.)\x42" + re.escape(sleb(-1 << 32)) + rb"\x54(?P<test>)\x0d\x00\x20(?P=value)\xa7\x21(?P<object>.)\x03\x40"
    shape += own
    message = bytes([I32_CONST]) + sleb(module.text_at(b"invalid index for append\0"))
    interpreter = only([f for f in module.functions() if message in module.body(f)[1]], "the interpreter")
    start, code = module.body(interpreter)
    found = list(re.finditer(shape, code, re.DOTALL))
    if len(found) != 2:
        fail(f"OP_get_field: found {len(found)} times, and should be twice")
    for match in reversed(found):
        test = bytes([LOCAL_GET]) + match["atom"] + bytes([I32_CONST]) + sleb(OF_LIBRARY) + bytes([I32_GE_S, I32_OR])
        code = code[:match.start("test")] + test + code[match.start("test"):]
    module.set_code(interpreter, code)
    find = found[0]["find"]  # find_own_property()

    OBJECT, PROP, ENTRY, AT, RESULT = 1, 2, 5, 6, 7
    original = module.add_function(get, module.code[get - len(module.imported)])
    tag = bytes([LOCAL_GET, OBJECT, I64_CONST, 32, I64_SHR_U, I32_WRAP_I64])
    is_object = tag + bytes([I32_CONST]) + sleb(-1) + bytes([I32_EQ])
    is_value = tag + bytes([I32_CONST, 1, I32_SHR_U, I32_CONST, 1, I32_NE])  # neither null nor undefined
    the_table = bytes([LOCAL_GET, 0, I32_LOAD, 2]) + uleb(table)
    entry = bytes([LOCAL_GET, PROP, I32_CONST, 2, I32_SHL, I32_ADD, I32_LOAD, 2, 0])
    asked = bytes([LOCAL_GET, 0, LOCAL_GET, OBJECT, LOCAL_GET, ENTRY, LOCAL_GET, 3, I32_CONST, 0, CALL]) + uleb(original)

    def is_own(local):  # there is no atom 0: its place in the table takes what find_own_property() has found
        return the_table + bytes([LOCAL_GET, AT, LOCAL_GET, local, CALL]) + find

    # The first of the prototypes that has one of the two decides.
    tried = bytes([LOCAL_GET, ENTRY, I32_CONST]) + sleb(OF_LIBRARY - 1) + bytes([I32_AND, LOCAL_SET, ENTRY, BLOCK, VOID]) + is_object
    tried += bytes([IF, VOID, LOCAL_GET, OBJECT, I32_WRAP_I64, LOCAL_SET, AT, LOOP, VOID]) + is_own(ENTRY)
    tried += bytes([IF, VOID]) + asked + bytes([RETURN, END]) + is_own(PROP) + bytes([BR_IF, 2])
    tried += bytes([LOCAL_GET, AT, I32_LOAD, 2, 12, I32_LOAD, 2, 36, LOCAL_TEE, AT, BR_IF, 0, END, BR, 1, END])
    tried += asked + bytes([LOCAL_TEE, RESULT, I64_CONST]) + sleb(UNDEFINED)
    tried += bytes([I64_NE, IF, VOID, LOCAL_GET, RESULT, RETURN, END, END])
    code = bytes([2, 2, I32, 1, I64, LOCAL_GET, PROP, I32_CONST]) + sleb(OF_LIBRARY) + bytes([I32_GE_S, IF, VOID])
    code += bytes([LOCAL_GET, PROP, I32_CONST]) + sleb(OF_LIBRARY - 1) + bytes([I32_AND, LOCAL_SET, PROP])
    code += is_value + bytes([IF, VOID]) + the_table + entry + bytes([LOCAL_SET, ENTRY]) + tried + bytes([END, ELSE])
    code += bytes([LOCAL_GET, PROP, I32_CONST]) + sleb(LAST_PROTOCOL + 1) + bytes([I32_LT_U, IF, VOID]) + the_table
    code += bytes([LOCAL_TEE, ENTRY, IF, VOID, LOCAL_GET, ENTRY]) + entry + bytes([LOCAL_TEE, ENTRY, I32_CONST, 0, I32_LT_S, IF, VOID])
    # The length of a text is no member of a prototype, and asked for often.
    code += is_object + bytes([LOCAL_GET, PROP, I32_CONST, ATOM_LENGTH, I32_NE, I32_OR]) + is_value
    code += bytes([I32_AND, IF, VOID, LOCAL_GET, 0, CALL]) + uleb(by_library) + bytes([IF, VOID]) + tried + bytes([END] * 6)
    code += b"".join(bytes([LOCAL_GET, i]) for i in range(5)) + bytes([CALL]) + uleb(original) + bytes([END])
    module.set_code(get, code)

    # No handler of a proxy is asked for a private symbol.
    shape = (bytes([I32, I64, I32, I64]), bytes([I64]))
    proxy = only([f for f in module.functions() if module.signature(f) == shape and module.calls(f, get)], "js_proxy_get")
    start, code = module.body(proxy)
    KIND, PRIVATE = 4, 0xC0000001 - (1 << 32)  # JS_ATOM_TYPE_SYMBOL with JS_ATOM_HASH_PRIVATE
    kind = bytes([LOCAL_GET, 0, I32_LOAD, 2, runtime, I32_LOAD, 2]) + uleb(ATOMS)
    kind += bytes([LOCAL_GET, PROP, I32_CONST, 2, I32_SHL, I32_ADD, I32_LOAD, 2, 0, I32_LOAD, 2, KIND])
    asked = bytes([LOCAL_GET, PROP, I32_CONST, 0, I32_GE_S, IF, VOID]) + kind + bytes([I32_CONST]) + sleb(PRIVATE)
    asked += bytes([I32_EQ, IF, VOID, I64_CONST]) + sleb(UNDEFINED) + bytes([RETURN, END, END])
    module.set_code(proxy, code[:start] + asked + code[start:])


def instructions(code, start):
    """Of a function: each one's place, and the next one's."""
    reader = Reader(code, start)
    while reader.at < len(code):
        at = reader.at
        opcode = reader.bytes(1)[0]
        if opcode in (BLOCK, LOOP, IF, BR, BR_IF, CALL, 0x3F, 0x40, I32_CONST, I64_CONST, 0xD0, 0xD2) or 0x20 <= opcode <= 0x26:
            reader.u()
        elif opcode == 0x11 or 0x28 <= opcode <= 0x3E:
            reader.u(), reader.u()
        elif opcode in (BR_TABLE, 0x1C):
            for _ in range(reader.u() + (opcode == BR_TABLE)):
                reader.u()
        elif opcode in (0x43, 0x44):
            reader.bytes(4 if opcode == 0x43 else 8)
        elif opcode == MEMORY:
            for _ in range({8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2}.get(reader.u(), 0)):
                reader.u()
        yield at, reader.at


# What is counted of what runs without a jump or call of JavaScript, each some two nanoseconds: the round of a loop; a call of a function
# in C, and of malloc(), beside its loops; and 16 bytes that are copied or filled.
WORK_OF_ROUND, WORK_OF_CALL, WORK_OF_MALLOC, BYTES_SHIFT = 4, 16, 16, 4
LARGE_FRAME, SHIFT_OF_SLOT = 4096, 3  # in bytes; a variable is one of eight, and half a nanosecond of work
FRAME_MASK = bytes([0xF0, 0xFF, 0xFF, 0x03])  # i32.const 0x7FFFF0
# What of QuickJS's stack a call leaves unused where that stands for a browser's: one of JavaScript from C, one that nests what is built
# in, and one of the parser, of which a pair of brackets makes a dozen. tests/page/depth.test.mjs has the ways to recurse.
WEIGHT_OF_CALL, WEIGHT_OF_NESTED, WEIGHT_OF_PARSING = 192, 144, 64
STACK_LIMIT = 644  # of a runtime
NEXT_OF_HASH = 0x3FFFFFF  # of JSShapeProperty.hash_next: 26 bits


def count_work(module, host_call, interpreter):
    """Whatever QuickJS does by itself counts: the global `work_left` goes down, and the host is asked when it is below zero. The loop
    of the interpreter counts jumps and calls instead, the loops in it count where they begin again (most are gone through once, as a name
    is found on the first prototype), and those before it, which fill a frame with `undefined`, if the frame is large. malloc() and free()
    have loops with a bound, and so has the search of an object's table for a name, which a program does most often."""
    work = module.section_with(6, bytes([0x7F, 1, I32_CONST]) + sleb(0x7FFFFFFF) + bytes([END]))
    module.section_with(7, uleb(len("work_left")) + b"work_left" + bytes([3]) + uleb(work))
    get, put = bytes([GLOBAL_GET]) + uleb(work), bytes([GLOBAL_SET]) + uleb(work)
    none = module.exported["_initialize"]
    asked = bytes([I32_CONST]) + sleb(WORKED) + bytes([I32_CONST, 0]) * 4 + bytes([CALL]) + uleb(host_call) + bytes([DROP, END])
    ask = module.add_function(none, b"\0" + asked)
    test = get + bytes([I32_CONST, 0, I32_LT_S, IF, VOID, CALL]) + uleb(ask) + bytes([END])

    def counted(amount):
        return get + bytes([I32_CONST]) + sleb(amount) + bytes([I32_SUB]) + put

    I32, I64 = 0x7F, 0x7E
    like = next(f for f in module.functions() if module.signature(f) == (bytes([I32] * 3), b""))
    bytes_counted = get + bytes([LOCAL_GET, 2, I32_CONST, BYTES_SHIFT, I32_SHR_U, I32_SUB]) + put + test
    given = bytes([LOCAL_GET, 0, LOCAL_GET, 1, LOCAL_GET, 2])
    wholes = {whole: module.add_function(like, b"\0" + bytes_counted + given + whole + bytes([END]))
              for whole in (MEMORY_COPY, MEMORY_FILL)}

    call_c = js_call_c_function(module)
    allocators = {module.exported[name] for name in ("malloc", "free", "realloc")}
    allocators |= {f for f in module.functions() for one in set(allocators) if calls_once(module, one, f)}
    first_own = min(*wholes.values(), ask)
    rounds = 0
    for function in [f for f in module.functions() if f < first_own]:
        start, code = module.body(function)
        parts, kept = [], start
        every = list(instructions(code, start))
        again = jumps_back(code, every) if function == interpreter else set()
        frame = whole_frame(code, start) if function == interpreter else None
        for i, (at, end) in enumerate(every):
            if at in again:
                parts += [code[kept:at], counted(WORK_OF_ROUND), test]
                kept = at
                rounds += 1
            elif frame and end == frame["end"]:
                size = bytes([LOCAL_GET]) + uleb(frame["size"])
                amount = size + bytes([I32_CONST, SHIFT_OF_SLOT, I32_SHR_U])
                parts += [code[kept:end], size + bytes([I32_CONST]) + sleb(LARGE_FRAME) + bytes([I32_GE_S, IF, VOID])]
                parts += [get + amount + bytes([I32_SUB]) + put + test + bytes([END])]
                kept = end
            elif code[at:end] in wholes:
                parts += [code[kept:at], bytes([CALL]) + uleb(wholes[code[at:end]])]
                kept = end
            elif code[at] == LOOP and function != interpreter and function not in allocators and not searches_table(code, every[i:]):
                parts += [code[kept:end], counted(WORK_OF_ROUND), test]
                kept = end
                rounds += 1
        entry = {call_c: counted(WORK_OF_CALL), module.exported["malloc"]: counted(WORK_OF_MALLOC)}.get(function, b"")
        module.set_code(function, code[:start] + entry + b"".join(parts) + code[kept:])
    if rounds < 1000:
        fail(f"only {rounds} loops are counted")


def js_call_c_function(module):
    I32, I64 = 0x7F, 0x7E
    return only([f for f in module.functions() if module.signature(f) == (bytes([I32, I64, I64, I32, I32, I32]), bytes([I64]))
                 and sum(module.body(f)[1][at] == 0x11 for at, _ in instructions(module.body(f)[1], module.body(f)[0])) > 5],
                "js_call_c_function")


def calls_once(module, function, callee):
    start, code = module.body(function)
    return any(code[at] == CALL and Reader(code, at + 1).u() == callee for at, _ in instructions(code, start)) \
        and callee >= len(module.imported)


def weigh_calls(module, interpreter):
    """What the host that runs WebAssembly has of a call on its own stack, a browser's of half a megabyte, is by and large in proportion to
    what QuickJS has of it in memory, where the limit is; but not of these functions, which hardly need memory. So that the limit is the
    first to be reached on every way to recurse, they leave some of it unused: between the caller's part and their own."""
    weights = module.section_with(6, bytes([0x7F, 1, I32_CONST, 0, END]))
    module.section_with(7, uleb(len("stack_weights")) + b"stack_weights" + bytes([3]) + uleb(weights))
    limit = bytes([I32_LOAD, 2]) + uleb(STACK_LIMIT)
    if uleb(STACK_LIMIT) not in module.body(module.exported["JS_SetMaxStackSize"])[1]:
        fail("JS_SetMaxStackSize sets another limit")
    checking = {f for f in module.functions() if limit in module.body(f)[1]}
    # next_token(), its fellow of JSON and get_proxy_method() look whether those that call them have room.
    for_others = {f for f in checking if bytes([I32_CONST]) + sleb(1000) + bytes([I32_SUB]) in module.body(f)[1]}
    next_token = only([f for f in for_others if len([g for g in module.functions() if calls_once(module, g, f)]) > 20], "next_token")
    into = {f for f in module.functions() if calls_once(module, f, interpreter)} - {interpreter}
    trap = only([f for f in checking if module.signature(f) == (bytes([0x7F, 0x7F, 0x7E, 0x7F]), bytes([0x7F]))], "get_proxy_method")
    asking = only([f for f in module.functions() if calls_once(module, f, trap)], "what tell_subjects() has around get_proxy_method")
    proxies = {f for f in module.functions() if calls_once(module, f, asking)}
    # Of regular expressions: a group, and a class in a class.
    message = bytes([I32_CONST]) + sleb(module.text_at(b"stack overflow\0"))
    groups = {f for f in module.functions() if message in module.body(f)[1]}
    if len(groups) != 2:
        fail(f"{len(groups)} functions of regular expressions have no stack, and two should")
    parsing = {f for f in module.functions() if calls_once(module, f, next_token)}
    weighed = {f: WEIGHT_OF_NESTED for f in groups | proxies | checking - for_others - {interpreter, trap, js_call_c_function(module)}}
    weighed |= {f: WEIGHT_OF_PARSING for f in parsing} | {f: WEIGHT_OF_CALL for f in into}
    for function, weight in sorted(weighed.items()):
        params, _ = module.signature(function)
        part = bytes([GLOBAL_GET, 0, GLOBAL_GET]) + uleb(weights) + bytes([I32_CONST]) + sleb(weight) + bytes([I32_AND])
        whole = module.add_function(function, module.code[function - len(module.imported)])
        given = b"".join(bytes([LOCAL_GET]) + uleb(i) for i in range(len(params)))
        module.set_code(function, b"\0" + part + bytes([I32_SUB, GLOBAL_SET, 0]) + given + bytes([CALL]) + uleb(whole)
                        + part + bytes([I32_ADD, GLOBAL_SET, 0, END]))


def whole_frame(code, start):
    """Where the interpreter has made room for a call's variables, alloca(), and the local with the number of bytes."""
    # local.get size, i32.const 15, i32.add, i32.const -16, i32.and, i32.sub, local.tee, global.set 0
    rounded = bytes([I32_CONST, 15, I32_ADD, I32_CONST]) + FRAME_MASK + bytes([I32_AND, I32_SUB, LOCAL_TEE])
    at = only([m.start() for m in re.finditer(re.escape(rounded), code[start:])], "the room of a call") + start
    end = at + len(rounded) + 3
    if code[at - 2] != LOCAL_GET or code[end - 2:end] != bytes([GLOBAL_SET, 0]):
        fail("the interpreter makes room in another way")
    return {"size": code[at - 1], "end": end}


def jumps_back(code, every):
    """Where a loop begins again within the one that goes from instruction to instruction by a table."""
    blocks, found = [], set()
    for at, _ in every:
        if code[at] in (BLOCK, LOOP, IF):
            blocks.append({"is_loop": code[at] == LOOP, "has_table": False, "jumps": set(), "within": set()})
        elif code[at] == END and blocks:
            block = blocks.pop()
            if block["is_loop"] and block["has_table"]:
                found |= block["within"]
            elif blocks:
                blocks[-1]["within"] |= block["within"] | (block["jumps"] if block["is_loop"] else set())
        elif code[at] in (BR, BR_IF):
            depth = Reader(code, at + 1).u()
            if depth < len(blocks):
                blocks[-1 - depth]["jumps"].add(at)
        elif code[at] == BR_TABLE:
            for block in blocks:
                block["has_table"] = True
    return found


def searches_table(code, rest):
    """Whether the loop that `rest` begins with goes along the properties of one hash: it calls nothing, and no other loop is in it, as in
    one that goes along the prototypes."""
    depth, has_next = 0, False
    for at, end in rest:
        if code[at] == LOOP and depth > 0:
            return False
        if code[at] in (BLOCK, LOOP, IF):
            depth += 1
        elif code[at] == END:
            depth -= 1
            if depth == 0:
                return has_next
        elif code[at] in (CALL, 0x11):
            return False
        has_next = has_next or code[at:end] == bytes([I32_CONST]) + sleb(NEXT_OF_HASH)
    return False


def tell_subjects(module, host_call):
    """What properties of an object are set, defined, deleted ... by: the object, the key and the frame of the call are at SUBJECT, below
    the stack, while they run; where one calls another, its own are there again afterwards. The host is told of one that has failed, as the
    error of a function with bytecode gets its stack after it."""
    I32, I64 = 0x7F, 0x7E
    message = {name: bytes([I32_CONST]) + sleb(module.text_at(text)) for name, text in (
        ("set", b"cannot set property '%s' of null\0"), ("prototype", b"circular prototype chain\0"), ("revoked", b"revoked proxy\0"))}
    revoked = only([f for f in module.functions() if message["revoked"] in module.body(f)[1]], "JS_ThrowTypeErrorRevokedProxy")
    of_set = (bytes([I32, I64, I32, I64, I64, I32]), bytes([I32]))
    proxied = only([f for f in module.functions() if module.calls(f, revoked)
                    and module.signature(f) == (bytes([I32, I32, I64, I32]), bytes([I32]))], "get_proxy_method")
    rows = [  # the function, its parameters with the object and the key; 0: none
        (only([f for f in module.functions() if module.signature(f) == of_set and message["set"] in module.body(f)[1]],
              "JS_SetPropertyInternal"), 1, 2),
        (module.exported["JS_DefineProperty"], 1, 2),
        (module.exported["JS_DeleteProperty"], 1, 2),
        (only([f for f in module.functions() if message["prototype"] in module.body(f)[1]
               and module.signature(f) == (bytes([I32, I64, I64, I32]), bytes([I32]))], "JS_SetPrototypeInternal"), 1, 0),
        (proxied, 2, 3),
    ]
    for function, of, key in rows:
        callers = [f for f in module.functions() if module.calls(f, function)]
        has_failed = bytes([I32_EQZ]) if function == proxied else None
        around = module.add_function(function, with_subject(module, host_call, function, (of, key), has_failed=has_failed))
        for caller in callers:
            start, body = module.body(caller)
            module.set_code(caller, body[:start] + body[start:].replace(bytes([CALL]) + uleb(function), bytes([CALL]) + uleb(around)))
        if function == proxied:
            tell_traps(module, host_call, around)


def with_subject(module, host_call, function, subject, has_failed=None, trap=0):
    """The code of a function around another one. `has_failed`: what its result says of that, instead of what QuickJS returns."""
    I64 = 0x7E
    of, key = subject
    params, results = module.signature(function)
    count = len(params)

    def store(offset, value):
        return bytes([I32_CONST, 0]) + value + bytes([I32_STORE, 2]) + uleb(SUBJECT + offset)

    result = count + 2
    code = bytes([2, 2, I64, 1]) + results  # locals: what was there before, and the result
    for i in (0, 1):
        code += bytes([I32_CONST, 0, I64_LOAD, 3]) + uleb(SUBJECT + 8 * i) + bytes([LOCAL_SET, count + i])
    code += bytes([I32_CONST, 0, LOCAL_GET, of, I64_STORE, 3]) + uleb(SUBJECT)
    code += store(8, bytes([LOCAL_GET, key]) if key else bytes([I32_CONST, 0]))
    frame = bytes([LOCAL_GET, 0, I32_LOAD, 2, OF_CONTEXT_RUNTIME, I32_LOAD, 2]) + uleb(CURRENT_FRAME)
    code += store(12, frame + (bytes([I32_CONST, trap, I32_OR]) if trap else b""))
    code += b"".join(bytes([LOCAL_GET, i]) for i in range(count)) + bytes([CALL]) + uleb(function) + bytes([LOCAL_SET, result])
    for i in (0, 1):
        code += bytes([I32_CONST, 0, LOCAL_GET, count + i, I64_STORE, 3]) + uleb(SUBJECT + 8 * i)
    if has_failed is None:
        is_thrown = bytes([I64_CONST]) + sleb(EXCEPTION) + bytes([I64_EQ])
        has_failed = is_thrown if results == bytes([I64]) else bytes([I32_CONST, 0, I32_LT_S])
    code += bytes([LOCAL_GET, result]) + has_failed + bytes([IF, VOID, I32_CONST]) + sleb(FAILED)
    code += bytes([LOCAL_GET, of, I32_WRAP_I64, LOCAL_GET, of, I64_CONST, 32, I64_SHR_U, I32_WRAP_I64])
    code += (bytes([LOCAL_GET, key]) if key else bytes([I32_CONST, 0])) + bytes([I32_CONST, trap, CALL]) + uleb(host_call)
    return code + bytes([DROP, END, LOCAL_GET, result, END])


# The traps that a failure is told of, by the atoms of their names; the bits of a frame's place that are always 0 tell which it is
# (kTraps of sim/quickjs/node/internal/proxy_words.js).
TRAPS = {"get": 69, "set": 70, "has": 107, "deleteProperty": 108, "defineProperty": 109, "getOwnPropertyDescriptor": 110, "ownKeys": 111}


def tell_traps(module, host_call, ask):
    """What proxies do is about them, too: each function that asks for a trap by get_proxy_method (`ask`), but those that all objects have.
    What their traps have returned the host is given where it is not what the target allows."""
    I32, I64 = 0x7F, 0x7E
    shapes = {  # by parameters and result: the object and the key
        (bytes([I32, I32, I64, I32]), bytes([I32])): (2, 3),
        (bytes([I32, I64, I32]), bytes([I32])): (1, 2),
        (bytes([I32, I64, I32, I64]), bytes([I64])): (1, 2),
        (bytes([I32, I64, I32, I64, I64, I32]), bytes([I32])): (1, 2),
        (bytes([I32, I64, I32, I64, I64, I64, I32]), bytes([I32])): (1, 2),
        (bytes([I32, I32, I32, I64]), bytes([I32])): (3, 0),
        (bytes([I32, I64, I64, I32, I32, I32]), bytes([I64])): (1, 0),  # calls, and what `new` makes
    }
    free = bytes([CALL]) + uleb(module.exported["JS_FreeValue"])
    asked = {}
    for function in module.functions():
        if module.signature(function) not in shapes or not module.calls(function, ask):
            continue
        names = [name for name, atom in TRAPS.items()
                 if bytes([I32_CONST]) + sleb(atom) + bytes([CALL]) + uleb(ask) in module.body(function)[1]]
        is_call = module.signature(function)[0][-3:] == bytes([I32] * 3)
        asked["call" if is_call else only(names, "the trap of a function of proxies")] = function
    if sorted(asked) != sorted([*TRAPS, "call"]):
        fail(f"functions of proxies: {sorted(asked)}")

    def returned(name, before, behind, value):
        """`before`, `behind`: what stands around the place where the value is known to be wrong."""
        start, code = module.body(asked[name])
        match = only(list(re.finditer(before + b"(?P<place>)" + behind, code[start:], re.DOTALL)), f"what {name} of a proxy returns")
        told = bytes([I32_CONST]) + sleb(RETURNED) + value(match) + bytes([I32_WRAP_I64]) + value(match)
        told += bytes([I64_CONST, 32, I64_SHR_U, I32_WRAP_I64, I32_CONST, 0, I32_CONST, 0, CALL]) + uleb(host_call) + bytes([DROP])
        at = start + match.start("place")
        module.set_code(asked[name], code[:at] + told + code[at:])

    def message(text):
        return re.escape(bytes([LOCAL_GET, 0, I32_CONST]) + sleb(module.text_at(text)))

    of_local = lambda match: bytes([LOCAL_GET]) + match["value"]
    freed = rb"\x20\x00\x20(?P<value>.)" + re.escape(free)
    returned("get", b"", freed + message(b"proxy: inconsistent get\0"), of_local)
    returned("ownKeys", b"", freed + message(b"proxy: properties must be strings or symbols\0"), of_local)
    returned("call", b"", freed + rb"\x20\x00\x10..\x0c.\x0b\x42" + re.escape(sleb(EXCEPTION)), of_local)
    # Of a description: undefined; null: what is no object; true: one that the target does not allow. Its tag is in a local.
    start, code = module.body(asked["getOwnPropertyDescriptor"])
    tag = only(re.findall(rb"\x83\x22(.)\x42" + re.escape(sleb(EXCEPTION)), code[start:], re.DOTALL), "the tag of a description")
    is_tag = bytes([LOCAL_GET]) + tag + bytes([I64_CONST])
    kind = bytes([I64_CONST]) + sleb(UNDEFINED) + bytes([I64_CONST]) + sleb(TRUE) + bytes([I64_CONST]) + sleb(NULL)
    kind += is_tag + sleb(-1 << 32) + bytes([I64_EQ, SELECT]) + is_tag + sleb(UNDEFINED) + bytes([I64_EQ, SELECT])
    returned("getOwnPropertyDescriptor", b"", message(b"proxy: inconsistent getOwnPropertyDescriptor\0"), lambda match: kind)

    for name, function in asked.items():
        start, code = module.body(function)
        inner = module.add_function(function, code)
        trap = 0 if name == "call" else 1 + list(TRAPS).index(name)
        module.set_code(function, with_subject(module, host_call, inner, shapes[module.signature(function)], trap=trap))


def keep_receivers(module):
    """The frame of a call in C's stack has its receiver and new.target behind it, where sim/quickjs/layout.hpp says (call_frame): QuickJS
    has them in variables only."""
    message = bytes([I32_CONST]) + sleb(module.text_at(b"invalid index for append\0"))
    interpreter = only([f for f in module.functions() if message in module.body(f)[1]], "the interpreter")
    start, code = module.body(interpreter)
    enters = re.compile(rb"\x23\x00\x41" + re.escape(sleb(FRAME_SIZE)) + rb"\x6b\x22(.)\x21(.)\x20\1\x24\x00", re.DOTALL).match(code, start)
    leaves = [] if enters is None else list(re.finditer(rb"\x20" + re.escape(enters[2]) + rb"\x41" + re.escape(sleb(FRAME_SIZE))
                                                        + rb"\x6a\x24\x00", code[enters.end():]))
    frame = b"" if enters is None else bytes([LOCAL_GET]) + enters[2] + bytes([I32_CONST]) + sleb(FRAME_AT) + bytes([I32_ADD, LOCAL_TEE])
    if len(leaves) != 1 or code.count(frame) != 1:
        fail("the interpreter's frame has another form")
    larger = sleb(FRAME_SIZE + 16)
    end = enters.end() + leaves[0].start()
    kept = b"".join(bytes([LOCAL_GET]) + enters[2] + bytes([LOCAL_GET, 2 + i, I64_STORE, 3]) + uleb(FRAME_SIZE + 8 * i) for i in (0, 1))
    before = code[start:enters.end()].replace(sleb(FRAME_SIZE), larger, 1)
    module.set_code(interpreter, code[:start] + before + kept + code[enters.end():end]
                    + leaves[0].group().replace(sleb(FRAME_SIZE), larger) + code[enters.end() + leaves[0].end():])


def sort_writes_all(module):
    """Array.prototype.sort() sets an element that stands in its place already, too (ECMAScript, SortIndexedProperties and Set)."""
    pattern = rb"\x41\x10\x6a\x29\x03\x00\x20(?P<n>.)\x51(?P<skips>)\x04\x40\x20\x00\x20.\x10"
    pattern += re.escape(uleb(module.exported["JS_FreeValue"]))
    found = [(f, match) for f in module.functions() if module.calls(f, module.exported["JS_SetPropertyInt64"])
             for match in re.finditer(pattern, module.body(f)[1], re.DOTALL)]
    function, match = only(found, "js_array_sort")
    code = match.string
    # `while (n < pos)`: V8 writes nothing where there is one element alone.
    count = re.findall(rb"\x20" + re.escape(match["n"]) + rb"\x20(.)\x52\x04\x40", code[:match.start()], re.DOTALL)[-1]
    alone = bytes([LOCAL_GET]) + count + bytes([I64_CONST, 2, I64_LT_U, I32_AND])
    module.set_code(function, code[:match.start("skips")] + alone + code[match.start("skips"):])


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
    tell_subjects(module, host_call)
    sort_writes_all(module)
    keep_receivers(module)
    repair_find(module)
    reject_failed_dispose(module, host_call)

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
    resume_next = only([f for f in resumers if module.signature(f) == (bytes([I32, I32]), b"")], "js_async_generator_resume_next")
    repair_finally(module, resolve, resume_next)
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
    goes_on = bytes([LOCAL_GET, magic, I32_CONST, 2, I32_GE_S, IF, VOID, LOCAL_GET, 0, LOCAL_GET, generator, CALL])
    goes_on += uleb(resume_next) + bytes([END])
    module.set_code(answer, body[:start] + body[start:].replace(returns, goes_on + returns))

    resolved_again(module, host_call, settle)
    repair_iterators(module, host_call, bytes([CALL]) + uleb(resolve), bytes([CALL]) + uleb(spare))
    repair_return_of_yield_star(module, host_call)
    yield_star_awaits(module, host_call)
    rejects_own_first(module, host_call)
    repair_spread(module)
    keep_originals(module)
    note_matches(module)
    # js_poll_interrupts() begins its counter again where sim/quickjs/layout.hpp says.
    again = bytes([I32_CONST]) + sleb(10000) + bytes([I32_STORE, 2]) + uleb(INTERRUPT_COUNTER)
    only([f for f in module.functions() if again in module.body(f)[1]], "js_poll_interrupts")
    table, stop, interpreter = open_interpreter(module, host_call)
    open_parser(module, host_call, table, stop)
    count_work(module, host_call, interpreter)
    weigh_calls(module, interpreter)
    with open(sys.argv[2], "wb") as file:
        file.write(module.dump())


main()
