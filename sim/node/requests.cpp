#include "sim/node/requests.hpp"

#include <numeric>
#include <string>

#include "sim/node/environment.hpp"

namespace loopsim::node {

void Requests::start(const Operation& operation, std::uint32_t promise, const Callback& callback) {
  const std::uint32_t index = requests_.make();
  Request& request = requests_[index];
  request.operation = operation;
  request.promise = promise;
  request.callback = callback;
  if (Operation& whole = request.operation; profile_.whole_file_requests && whole.requests > 1 && whole.error.empty()) {
    whole.durations[0] = std::accumulate(whole.durations.begin(), whole.durations.end(), TimeNs{0});
    whole.requests = 1;
  }

  const bool is_one = request.operation.requests == 1;
  env_.callbacks.announce(request.callback, ScheduleKind::first, -1, is_one ? request.operation.durations[0] : -1, 0,
                          operation.name);
  submit_stage(index);
  if (requests_.live() > limits_.queue) env_.ending.halt_for_queue();
}

// "read", or the current request of an operation.
std::string_view Requests::stage_name(const Request& request) const {
  return request.operation.requests == 1 ? request.operation.name : request.operation.request_names.at(request.stage);
}

void Requests::submit_stage(std::uint32_t index) {
  if (machine_.has_costs()) env_.thread.pay(Cost::submit);
  const Request& request = requests_[index];
  const Operation& operation = request.operation;
  TimeNs duration = operation.durations.at(request.stage);
  if (machine_.has_costs()) duration += machine_.draw_cost(Cost::request);
  const std::uint64_t order = machine_.next_order();
  env_.callbacks.trace_enqueued(request.callback, operation.is_network ? Queue::network : Queue::pool,
                                stage_name(request));
  if (operation.is_network) {
    loop_.submit_network(index, duration, order);
  } else {
    loop_.submit_work({index, duration, operation.needs_cpu, operation.is_slow, order});
  }
}

void Requests::read_main_module() {
  main_request_ = requests_.make();
  loop_.submit_work({main_request_, 0, false, false, machine_.next_order()});
}

void Requests::on_work(std::uint32_t index, std::uint32_t thread, bool begins) {
  if (index == main_request_) return;
  const Request& request = requests_[index];
  if (!begins && request.operation.plan != kNone) engine_.work_done(request.operation.plan);
  env_.callbacks.trace_work(request.callback, begins, thread, stage_name(request));
}

void Requests::trace_ready(std::uint32_t index) {
  if (index != main_request_) env_.callbacks.trace_enqueued(requests_[index].callback, Queue::ready);
}

void Requests::settle(const Request& request, const Value& error, bool failed) {
  const Callbacks::Behind behind(env_.callbacks, request.callback.id);
  if (failed)
    engine_.reject_promise(request.promise, error);
  else
    engine_.resolve_promise(request.promise, {});
}

void Requests::finish_stage(const uv::Completed& done) {
  if (done.request == main_request_) {  // the file of the main module has been read
    requests_.free(main_request_);
    main_request_ = kNone;
    env_.run_module();
    return;
  }
  Request& request = requests_[done.request];
  env_.callbacks.trace_ready(request.callback, done.ready_at, done.started, done.thread, stage_name(request));
  if (const std::uint32_t plan = request.operation.plan; plan != kNone) {
    TimeNs duration = 0;
    std::string_view name;
    if (engine_.next_request(plan, name, duration)) {
      Operation& operation = requests_[done.request].operation;
      operation.request_names[0] = name;
      operation.durations[0] = duration;
      submit_stage(done.request);
      env_.task_queue.close_scope();
      return;
    }
  }
  // A failing operation fails in its first request, and makes no others.
  const bool failed = !request.operation.error.empty();
  if (!failed && request.operation.plan == kNone && request.stage + 1 < request.operation.requests) {
    ++request.stage;
    submit_stage(done.request);
    env_.task_queue.close_scope();
    return;
  }

  const Request finished = request;
  requests_.free(done.request);
  Value error = Value::null();
  if (failed) {
    const std::string code(finished.operation.error);
    error = heap_.make_error("Error", code + ", " + std::string(finished.operation.request_names[0]), code);
  }
  if (finished.promise == kNone) {
    env_.task_queue.run_from_loop(finished.callback, std::span(&error, 1), done.ready_at);
  } else {
    const Flow flow = env_.callbacks.run(finished.callback, {}, done.ready_at);
    if (flow == Flow::normal) {
      settle(finished, error, failed);
      env_.task_queue.close_scope();
    }
    heap_.release_promise(finished.promise);
  }
  heap_.release(error);
  heap_.release(finished.callback);
}

}  // namespace loopsim::node
