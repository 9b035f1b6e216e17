// What a page asks of the language that its programs are written in, beside calls of their functions: a queue of microtasks, and
// what the page's own library does with events.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/runtime/engine.hpp"

namespace loopsim::browser {

using runtime::Flow;

class Page;

class Engine : public runtime::Engine {
 public:
  virtual void connect(Page& page) = 0;  // before anything else

  // ---- microtasks -----------------------------------------------------------------------------------------------------
  [[nodiscard]] bool has_jobs() const { return jobs_ != 0; }
  [[nodiscard]] std::size_t jobs() const { return jobs_; }
  virtual Flow run_job() = 0;  // the first one

  // ---- events ---------------------------------------------------------------------------------------------------------
  // What a callback has thrown goes to the window's error event (HTML, report an exception).
  virtual Flow report_exception() = 0;
  // The promises that were rejected since the last call and are not handled: a task tells the window (HTML, notify about
  // rejected promises).
  [[nodiscard]] virtual bool has_rejections() const = 0;
  virtual void queue_rejections() = 0;
  virtual Flow tell_rejections(std::uint32_t batch) = 0;
  virtual Flow dispatch_input(std::uint32_t input) = 0;  // a user's input, of Setup::inputs
  virtual Flow document_parsed() = 0;                    // DOMContentLoaded
  virtual Flow document_loaded() = 0;                    // load
  virtual Flow after_animation_frames() = 0;             // observers of sizes and of intersections
  // The argument of an idle callback. The caller owns it.
  virtual runtime::Value make_deadline(TimeNs end, bool did_timeout) = 0;
  // A callback that will not run again. What it holds is let go of.
  virtual void release(const runtime::Callback& callback) = 0;

 protected:
  explicit Engine(std::uint64_t step_limit) : runtime::Engine(step_limit) {}
  ~Engine() = default;

  std::size_t jobs_ = 0;
};

}  // namespace loopsim::browser
