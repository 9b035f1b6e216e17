// The memory that runs hold beside what they take with operator new: that of programs in JavaScript, which grows with
// each, to 256 MiB, and is given back at the end of its run, or once a thread runs other programs. Not what a thread
// keeps of the last two in which Node has started (9 MB each): without it they would run as well, only later.
//
// For a program that bounds its memory by an operator new of its own.
#pragma once

#include <cstddef>

namespace loopsim {

// Both are called from all threads that run programs.
struct MemoryAccount {
  bool (*take)(std::size_t bytes) = nullptr;  // false: there is no more, and the run ends with OutOfMemory
  void (*give_back)(std::size_t bytes) = nullptr;
};

// Before the first run, as std::set_new_handler() is called.
void set_memory_account(const MemoryAccount& account);

// The same, for WebAssembly in a browser, whose own stack has half a megabyte in a worker: programs in JavaScript get a stack of 160 KiB,
// and not of 5.8 MiB, where a call takes as much as it does of the browser's. So a recursion ends in an exception of theirs before that of
// the browser ends.
void set_small_stacks();

}  // namespace loopsim
