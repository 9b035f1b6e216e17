// fs, dns, crypto and zlib: requests that run on the thread pool or the network, one after another where an operation has
// several, and call back when poll finds them done.
#include <numeric>

#include "sim/node/environment.hpp"

namespace loopsim::node {

void Environment::start_work(std::uint32_t plan, std::uint32_t promise, const Callback& callback) {
  const std::uint32_t index = requests_.make();
  Request& request = requests_[index];
  request.plan = plan;
  request.promise = promise;
  request.callback = callback;
  request.stage = 0;

  const WorkPlan& work = program_.works[plan];
  request.stages = work.requests;
  // One that fails makes its first request only.
  const std::uint32_t made = work.error == kNone ? work.requests : 1;
  for (std::uint32_t stage = 0; stage < made; ++stage) request.durations.at(stage) = stage_duration(work, stage);
  if (profile_.whole_file_requests && made > 1) {
    request.durations[0] = std::accumulate(request.durations.begin(), request.durations.end(), TimeNs{0});
    request.stages = 1;
  }

  announce(request.callback, ScheduleKind::first, -1, request.stages == 1 ? request.durations[0] : -1, 0,
           program_.names[work.operation]);
  submit_stage(index);
  if (requests_.live() > program_.limits.queue)
    halt(LimitKind::queue, static_cast<std::int64_t>(program_.limits.queue));
}

TimeNs Environment::stage_duration(const WorkPlan& plan, std::uint32_t stage) {
  const std::uint32_t stream = program_.work_durations[plan.first_duration + stage];
  return random_.draw(program_.durations[stream]);
}

// "read", or the one of its requests that an operation is at.
std::string_view Environment::stage_name(const WorkPlan& plan, const Request& request) const {
  return request.stages == 1 ? program_.names[plan.operation]
                             : program_.names[program_.request_names[plan.first_duration + request.stage]];
}

void Environment::submit_stage(std::uint32_t index) {
  Request& request = requests_[index];
  const WorkPlan& plan = program_.works[request.plan];
  const TimeNs duration = request.durations.at(request.stage);
  const std::uint64_t order = ++submissions_;
  if (plan.network) {
    loop_.submit_network(index, duration, order);
  } else {
    loop_.submit_work({index, duration, plan.needs_cpu, plan.slow, order});
  }
}

void Environment::on_completed(void* self, const uv::Completed& done) {
  static_cast<Environment*>(self)->finish_stage(done);
}

void Environment::finish_stage(const uv::Completed& done) {
  if (done.request == main_request_) {  // the file of the main module has been read
    requests_.free(main_request_);
    main_request_ = kNone;
    run_module();
    return;
  }
  Request& request = requests_[done.request];
  const WorkPlan& plan = program_.works[request.plan];
  const Site& site = program_.sites[plan.site];
  if (tracer_.on()) {
    Event& event = tracer_.add_text(EventKind::ready, stage_name(plan, request));
    event.api = site.api;
    event.id = request.callback.id;
    event.name = site.label;
    event.a = done.ready_at;
    event.b = done.started;
    event.c = done.thread;
  }
  // An operation that fails does so in its first request, and the others are not made.
  const bool failed = plan.error != kNone;
  if (!failed && request.stage + 1 < request.stages) {
    ++request.stage;
    submit_stage(done.request);
    close_scope();
    return;
  }

  const Request finished = request;
  requests_.free(done.request);
  Value error = Value::null();
  if (failed) {
    const std::string& code = program_.strings[plan.error];
    error = heap_.make_error("Error", code + ", " + program_.names[program_.request_names[plan.first_duration]], code);
  }
  if (finished.promise == kNone) {
    make_callback_from_loop(finished.callback, std::span(&error, 1), done.ready_at);
  } else {
    const Flow flow = run_callback(finished.callback, {}, done.ready_at);
    if (flow == Flow::normal) {
      if (failed)
        reject_promise(finished.promise, error);
      else
        resolve_promise(finished.promise, {});
      close_scope();
    }
    heap_.release_promise(finished.promise);
  }
  heap_.release(error);
  heap_.release(finished.callback);
}

}  // namespace loopsim::node
