// What a trace says of the run of a program before its first event, whatever the program's language.
#pragma once

#include "loopsim/profile.hpp"
#include "loopsim/trace.hpp"

#include "sim/program/program.hpp"

namespace loopsim {

// All but the names, which the language's engine has.
inline RunInfo run_info_of(const Program& program, std::uint64_t seed, TimeNs clock_phase) {
  RunInfo info;
  info.title = program.title;
  info.runtime = program.profile->name;
  info.libuv = program.profile->libuv.version;
  const bool is_module = program.entry == EntryPoint::module;
  switch (program.profile->family) {
    case Family::libuv: info.entry = "main()"; break;
    case Family::browser: info.entry = "window"; break;
    case Family::io: info.entry = "process"; break;
    default: info.entry = is_module ? "module" : "commonjs";
  }
  info.machine = program.machine.name;
  info.threadpool = program.threadpool;
  info.seed = seed;
  info.clock_phase = clock_phase;
  info.params = program.params;
  return info;
}

}  // namespace loopsim
