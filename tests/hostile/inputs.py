"""Hostile documents. Each function returns the bytes of one; they are generated for each test run and not stored."""

import json

MEGABYTE = 1 << 20
INPUTS = {}


def document(function):
    INPUTS[function.__name__.replace("_", "-")] = function
    return function


def scenario(main, **more):
    return json.dumps({**more, "main": main}).encode()


# ---- JSON text -----------------------------------------------------------------------------------------------------


@document
def empty():
    return b""


@document
def blanks():
    return b" \n\t" * 1_000_000


@document
def byte_order_mark():
    return b'\xef\xbb\xbf{ "main": [ { "log": "x" } ] }'


@document
def utf_16():
    return '{ "main": [] }'.encode("utf-16")


@document
def nul():
    return b'{ "main": [ { "log": "a\0b" } ] }'


@document
def nul_between():
    return b'{ "main": [ \0 ] }'


@document
def escaped_nul():
    return b'{ "main": [ { "log": "a\\u0000b" } ] }'


@document
def invalid_utf_8():
    return b'{ "main": [ { "log": "a\xff\xfeb" } ] }'


@document
def overlong_utf_8():
    return b'{ "main": [ { "log": "\xc0\xaf" } ] }'


@document
def lone_surrogate():
    return b'{ "main": [ { "log": "\\ud800" } ] }'


@document
def open_lists():
    return b"[" * 10_000_000


@document
def open_objects():
    return b'{"main":' * 5_000_000


@document
def nested_steps():
    return b'{"main":' + b'[{"setTimeout":1,"do":' * 1_000_000 + b"[]" + b"}]" * 1_000_000 + b"}"


@document
def nested_awaits():
    """Nested as deep as the reader allows."""
    return b'{"main":[{"async":[' + b'{"await":{"async":[' * 48 + b'{"log":"deep"}' + b"]}}" * 48 + b"]}]}"


@document
def hundred_megabytes():
    return b'{"main":[' + b'{"log":"x"},' * (100 * MEGABYTE // 12) + b'{"log":"x"}]}'


@document
def many_small_values():
    """Just below the largest size that the reader accepts, with the highest memory cost per byte."""
    return b'{"main":[' + b"0," * (31 * MEGABYTE) + b"0]}"


@document
def many_wrong_steps():
    return b'{"main":[' + b'{"lgo":1},\n' * 1_000_000 + b'{"log":"x"}]}'


@document
def many_wrong_keys():
    return b"{" + b",\n".join(b'"key%d":1' % i for i in range(1_000_000)) + b"}"


@document
def many_duplicate_keys():
    return b"{" + b'"main":[],\n' * 1_000_000 + b'"main":[]}'


@document
def duplicate_keys():
    return b'{ "main": [ { "log": "x", "log": "y" } ],\n  "main": [] }'


@document
def one_huge_text():
    return scenario([{"log": "x" * (16 * MEGABYTE)}])


@document
def one_huge_number():
    return b'{"main":[{"setTimeout":' + b"9" * (10 * MEGABYTE) + b',"do":[]}]}'


@document
def infinite_number():
    return b'{ "main": [ { "setTimeout": 1e400, "do": [] } ] }'


@document
def tiny_number():
    return b'{ "main": [ { "setTimeout": 1e-400, "do": [ { "log": "t" } ] } ] }'


# ---- large numbers of items ----------------------------------------------------------------------------------------


@document
def million_functions():
    functions = ",\n".join('"f%d":[{"log":"%d"}]' % (i, i) for i in range(1_000_000))
    return ('{"functions":{' + functions + '},"main":[{"call":"f999999"}]}').encode()


@document
def many_functions():
    functions = ",\n".join('"f%d":[{"log":"%d"}]' % (i, i) for i in range(200_000))
    return ('{"functions":{' + functions + '},"main":[{"call":"f199999"}]}').encode()


@document
def million_variables():
    steps = ",\n".join('{"let":{"v%d":%d}}' % (i, i) for i in range(1_000_000))
    return ('{"main":[' + steps + ',{"log":"{v0}"}]}').encode()


@document
def many_variables():
    steps = ",\n".join('{"let":{"v%d":%d}}' % (i, i) for i in range(100_000))
    return ('{"main":[' + steps + ',{"log":"{v0}"}]}').encode()


@document
def many_globals():
    steps = ",\n".join('{"set":{"v%d":%d}}' % (i, i) for i in range(100_000))
    return ('{"functions":{"f":[]},"main":[' + steps + ',{"log":"{v0}"}]}').encode()


@document
def million_unknown_names():
    return scenario([{"log": "{a%d}" % i} for i in range(1_000_000)])


@document
def unknown_names_among_many():
    known = [{"set": {"name%d" % i: i}} for i in range(20_000)]
    return scenario(known + [{"log": "{nmae%d}" % i} for i in range(20_000)])


@document
def million_params():
    return scenario([{"log": "x"}], params={"p%d" % i: i for i in range(1_000_000)})


@document
def many_params_used():
    return scenario([{"log": "$p%d" % i} for i in range(50_000)], params={"p%d" % i: i for i in range(50_000)})


@document
def million_expectations():
    return scenario([{"log": "x"}], expect={"order": ["n%d" % i for i in range(1_000_000)]})


@document
def million_inputs():
    return scenario([{"on": "process", "event": "SIGINT", "do": []}, {"setTimeout": 5000, "do": []}],
                    inputs=[{"signal": "SIGINT", "at": "%dus" % i} for i in range(1_000_000)])


@document
def many_inputs():
    return scenario([{"on": "process", "event": "SIGINT", "do": []}, {"setTimeout": 5000, "do": []}],
                    inputs=[{"signal": "SIGINT", "at": "%dus" % i} for i in range(100_000)])


@document
def million_callbacks():
    return b'{"main":[' + b'{"setImmediate":[]},\n' * 1_000_000 + b'{"log":"x"}]}'


@document
def many_callbacks():
    return b'{"main":[' + b'{"setImmediate":[]},\n' * 200_000 + b'{"log":"x"}]}'


@document
def many_stalls():
    return scenario([{"cpu": "10s"}], machine={"stalls": [{"at": "%dms" % (2 * i), "for": "1ms"} for i in range(500_000)]})


@document
def wide_objects():
    return b'{"main":[{' + b",".join(b'"k%d":0' % i for i in range(1_000_000)) + b"}]}"


# ---- names and texts of a megabyte ---------------------------------------------------------------------------------

LONG = "n" * MEGABYTE


@document
def long_name():
    return scenario([{"setTimeout": 1, "do": [{"log": "{%s}" % LONG}], "as": LONG}, {"repeat": 3, "do": [{"clear": LONG}]}])


@document
def long_wrong_name():
    return scenario([{"clear": LONG}])


@document
def long_wrong_verb():
    return scenario([{LONG: 1}])


@document
def long_runtime():
    return scenario([], runtime=LONG)


@document
def long_param():
    return scenario([{"log": "$" + LONG}])


@document
def long_label_many_times():
    return scenario([{"repeat": 50, "do": [{"setImmediate": [], "as": LONG}]}])


@document
def many_long_lines():
    return scenario([{"repeat": 100_000, "do": [{"log": "x" * (64 << 10)}]}])


@document
def billion_laughs():
    """Every use of a param becomes a copy of its text when the document is read."""
    return scenario([{"log": "$p"} for _ in range(100_000)], params={"p": "lol" * 300_000})


@document
def billion_laughs_with_placeholders():
    """The uses share most of their text, but each contains a different variable."""
    return scenario([{"let": {"a": 1}}] + [{"log": "$p"} for _ in range(100_000)], params={"p": "{{lol" * 200_000 + "{a}"},
                    limits={"steps": 1000})


@document
def billion_laughs_in_params():
    params = {"a": "lol", **{chr(ord("a") + i): "$" + chr(ord("a") + i - 1) for i in range(1, 26)}}
    return scenario([{"log": "$z"}], params=params)


@document
def growing_text():
    """Each round doubles the length of a text."""
    return scenario([{"let": {"t": "lol"}}, {"repeat": 60, "do": [{"set": {"t": "{t}{t}"}}]}, {"log": "{t}"}])


# ---- times and counts ----------------------------------------------------------------------------------------------


@document
def end_of_time():
    return scenario([{"cpu": "1000000000000000000ns"}, {"cpu": "1000000000000000000ns"}, {"log": "x"}],
                    limits={"time": "9000000000000000000ns"})


@document
def beyond_the_end_of_time():
    return scenario([{"cpu": "9223372036854775807ns"}])


@document
def sum_beyond_the_end_of_time():
    return scenario([{"repeat": 100, "do": [{"cpu": "1000000000000000000ns"}]}, {"log": "x"}],
                    limits={"time": "1000000000000000000ns"})


@document
def timer_beyond_the_end_of_time():
    return scenario([{"setTimeout": 2147483647, "do": [{"cpu": "900000000000000000ns"}, {"setTimeout": 2147483647, "do": []}]}],
                    limits={"time": "1000000000000000000ns"})


@document
def counter_overflow():
    return scenario([{"let": {"n": 9007199254740992}}, {"repeat": 10, "do": [{"add": {"n": 1e308}}, {"add": {"n": 1e308}}]},
                     {"log": "{n}"}, {"exitCode": "$code"}], params={"code": 255})


@document
def huge_count():
    return scenario([{"repeat": 18446744073709551616, "do": []}])


@document
def huge_limits():
    return scenario([], limits={"steps": 1e18})


@document
def repeat_bomb():
    steps = [{"log": "boom"}]
    for _ in range(5):
        steps = [{"repeat": 1_000_000_000, "do": steps}]
    return scenario(steps)


@document
def immediate_bomb():
    return scenario([{"repeat": 1_000_000_000, "do": [{"setImmediate": "f"}]}], functions={"f": [{"setImmediate": "f"}]},
                    limits={"queue": 1_000_000_000_000, "steps": 1_000_000_000_000, "callbacks": 1_000_000_000_000})


@document
def timer_bomb():
    return scenario([{"repeat": 1_000_000_000, "do": [{"setTimeout": 1000, "do": []}]}],
                    limits={"queue": 1_000_000_000_000, "steps": 1_000_000_000_000, "callbacks": 1_000_000_000_000})


@document
def promise_bomb():
    return scenario([{"async": [{"repeat": 1_000_000_000, "do": [{"async": "f"}]}]}],
                    functions={"f": [{"await": {"setTimeout": 1000}}]},
                    limits={"queue": 1_000_000_000_000, "steps": 1_000_000_000_000, "callbacks": 1_000_000_000_000})


@document
def listener_bomb():
    return scenario([{"emitter": "e"}, {"repeat": 1_000_000_000, "do": [{"on": "e", "event": "x", "do": []}]}],
                    limits={"steps": 1_000_000_000_000})


@document
def connection_bomb():
    return scenario([{"listen": 8000, "on": {"connection": []}}],
                    inputs=[{"connect": 8000, "every": "1ns", "as": "c"}],
                    limits={"queue": 1_000_000_000_000, "steps": 1_000_000_000_000, "callbacks": 1_000_000_000_000})


@document
def deep_calls():
    return scenario([{"call": "f"}], functions={"f": [{"call": "f"}]}, limits={"depth": 1_000_000})


@document
def deep_emits():
    return scenario([{"emitter": "e"}, {"on": "e", "event": "x", "do": [{"emit": "e", "event": "x"}]},
                     {"emit": "e", "event": "x"}], limits={"depth": 1_000_000})


@document
def promise_chain():
    return scenario([{"promise": "p"}, {"repeat": 1_000_000, "do": [{"then": "p", "do": [], "as": "p"}]}],
                    limits={"steps": 100_000_000, "queue": 100_000_000, "callbacks": 100_000_000})


@document
def nested_promises():
    """A chain of promises, each following the next, is released at once."""
    return scenario([{"promise": "first"}, {"set": {"p": "{first}"}},
                     {"repeat": 900_000, "do": [{"async": [{"return": "{p}"}], "as": "p"}]}, {"resolve": "first"}],
                    limits={"steps": 100_000_000, "queue": 100_000_000, "callbacks": 100_000_000})


@document
def nothing_but_turns():
    return scenario([{"setInterval": 1, "do": []}], limits={"time": "100000h", "callbacks": 3_000_000})


@document
def thousand_threads():
    return scenario([{"repeat": 100_000, "do": [{"crypto": "pbkdf2", "cpu": "1ms", "do": []}]}],
                    runtime={"profile": "node-24", "threadpool": 1024}, machine={"cores": 1})


# ---- runs with much work in few steps ------------------------------------------------------------------------------

BILLIONS = {"steps": 10**15, "callbacks": 10**15, "queue": 10**15, "depth": 10**6}


@document
def raised_limits():
    """Requests a year of computing."""
    return scenario([{"repeat": 10**12, "do": [{"log": "x"}]}], limits=BILLIONS)


@document
def raised_limits_of_rounds():
    """A thousand million steps in seconds: rounds that do nothing."""
    return scenario([{"repeat": 10**12, "do": []}], limits=BILLIONS)


@document
def raised_limits_of_callbacks():
    return scenario([{"setImmediate": "f"}], functions={"f": [{"setImmediate": "f"}]}, limits=BILLIONS)


@document
def many_cases():
    """Many cases, each below the limits."""
    return scenario([{"let": {"n": 0}}, {"repeat": 10**12, "do": [{"add": {"n": 1}}]}, {"log": "never"}],
                    expect={"cases": [{"output": ["never"]}] * 100_000})


@document
def long_texts():
    return scenario([{"repeat": 10**12, "do": [{"log": "x" * (16 * MEGABYTE)}]}])


@document
def long_texts_compared():
    return scenario([{"set": {"a": "x" * (16 * MEGABYTE)}}, {"set": {"b": "x" * (16 * MEGABYTE)}}, {"call": "f"}],
                    functions={"f": [{"repeat": 10**12, "do": [{"if": ["a", "==", "{b}"], "then": []}]}]})


@document
def long_texts_thrown():
    return scenario([{"let": {"a": "x" * MEGABYTE}}, {"repeat": 10**12, "do": [{"try": [{"throw": "{a}"}], "catch": []}]}])


@document
def long_text_rejected():
    return scenario([{"let": {"a": "x" * MEGABYTE}}, {"on": "process", "event": "unhandledRejection", "do": []},
                     {"repeat": 10**12, "do": [{"promise": "p"}, {"reject": "p", "error": "{a}"}]}])


@document
def long_name_of_an_event():
    return scenario([{"emitter": "e"}, {"on": "e", "event": LONG, "do": []}])


@document
def long_name_of_a_client():
    return scenario([], inputs=[{"connect": 8000, "at": "1ms", "as": LONG}])


@document
def many_listeners():
    """Each emit copies the list of listeners; the first of them throws."""
    return scenario([{"emitter": "e"}, {"on": "e", "event": "x", "do": [{"throw": "first"}]},
                     {"repeat": 100_000, "do": [{"on": "e", "event": "x", "do": []}]},
                     {"repeat": 10**12, "do": [{"try": [{"emit": "e", "event": "x"}], "catch": []}]}],
                    limits={"callbacks": 10**15})


@document
def many_listeners_of_once():
    """Each removed listener is searched in the lists of all active emissions."""
    return scenario([{"emitter": "e"}, {"repeat": 3_000, "do": [{"once": "e", "event": "x", "do": [{"emit": "e", "event": "x"}]}]},
                     {"emit": "e", "event": "x"}], limits={"depth": 10**6})


@document
def many_listeners_taken_off():
    return scenario([{"emitter": "e"}, {"repeat": 500_000, "do": [{"on": "e", "event": "x", "do": "f"}]},
                     {"repeat": 10**12, "do": [{"off": "e", "event": "x", "do": "g"}]}], functions={"f": [], "g": []})


@document
def many_events():
    """All on one emitter, which searches its list for each of them."""
    steps = [{"on": "e", "event": "x%d" % i, "do": []} for i in range(50_000)]
    return scenario([{"emitter": "e"}, *steps, {"repeat": 10**12, "do": [{"emit": "e", "event": "none"}]}])


@document
def wide_scopes():
    """Each round creates sixty thousand variables and uses none of them."""
    variables = [{"let": {"v%d" % i: 1}} for i in range(60_000)]
    return scenario([{"repeat": 10**12, "do": [{"call": "f"}]}], functions={"f": [{"return": 1}, *variables]})


@document
def many_variables_in_functions():
    variables = [{"let": {"v%d" % i: 1}} for i in range(60_000)]
    return scenario([], functions={"f%d" % i: variables for i in range(16)})


@document
def nested_lists():
    """A list nested a million deep, then converted to text."""
    return scenario([{"set": {"x": "end"}}, {"call": "f"}], limits=BILLIONS, functions={"f": [
        {"async": [{"repeat": 1_000_000, "do": [{"await": {"all": ["x"]}, "as": "x"}]}, {"log": "{x}"}]}]})


@document
def lists_of_twins():
    """A list containing the same list twice, sixty deep: its text would have 2^60 characters."""
    return scenario([{"set": {"x": "end"}}, {"call": "f"}], functions={"f": [
        {"async": [{"repeat": 60, "do": [{"await": {"all": ["x", "x"]}, "as": "x"}]}, {"log": "{x}"}]}]})


@document
def chain_below_twins():
    """The same around a long chain of lists: the text is short, but computing it takes extremely long."""
    return scenario([{"set": {"x": "end"}}, {"call": "f"}], limits={"callbacks": 10**9}, functions={"f": [
        {"async": [{"repeat": 100_000, "do": [{"await": {"all": ["x"]}, "as": "x"}]},
                   {"repeat": 30, "do": [{"await": {"all": ["x", "x"]}, "as": "x"}]}, {"log": "{x}"}]}]})


@document
def busy_and_random():
    """Output that is completely different for two seeds."""
    return scenario([{"setImmediate": "f"}, {"setTimeout": 1, "do": "g"}], functions={
        "f": [{"cpu": {"uniform": ["0ms", "2ms"]}}, {"setImmediate": "f"}],
        "g": [{"cpu": {"uniform": ["0ms", "2ms"]}}, {"log": "g {now}"}, {"setTimeout": 1, "do": "g"}]})


if __name__ == "__main__":  # inputs.py NAME FILE: a separate process, so that its memory is not counted
    import sys
    with open(sys.argv[2], "wb") as file:
        file.write(INPUTS[sys.argv[1]]())
