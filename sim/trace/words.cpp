// The table of words: English and Chinese side by side. Names of APIs, options and files stay as programs spell them; the
// Chinese terms are those of Node's Chinese documentation (tick and immediate, for which it has none, stay English).

#include "loopsim/words.hpp"

#include <algorithm>
#include <array>

#include "sim/trace/columns.hpp"

namespace loopsim {
namespace {

struct Entry {
  Word word{};
  std::string_view english;
  std::string_view chinese;
};

// clang-format off
constexpr std::array<Entry, kWords> kEntries = {{
    // ---- callbacks and calls ----
    {Word::the_main_script, "the main script", "主脚本"},
    {Word::main_script, "main script", "主脚本"},
    {Word::main_function, "main()", "main()"},
    {Word::callback_by_id, "callback {0}", "回调 {0}"},
    {Word::callback_of_api, "{0} callback", "{0} 回调"},
    {Word::callback_of_api_at_line, "{0} callback (line {1})", "{0} 回调（第 {1} 行）"},
    {Word::another_callback, "another callback", "另一个回调"},
    {Word::listener, "listener", "监听器"},
    {Word::listener_of_event, "'{0}' listener", "'{0}' 监听器"},
    {Word::is_listener, " (listener)", " (监听器)"},
    {Word::is_listener_of_event, " (listener '{0}')", " ('{0}' 监听器)"},
    {Word::is_process_listener, " (listener of process '{0}')", " (process 的 '{0}' 监听器)"},
    {Word::goes_on, "{0} goes on", "{0} 继续执行"},
    // ---- the header and the end of a run ----
    {Word::header, "{0} · libuv {1} · {2} · machine {3} · {4} pool {4|thread|threads} · seed {5}",
     "{0} · libuv {1} · {2} · 机器 {3} · {4} 个线程池线程 · 种子 {5}"},
    {Word::header_clock, " · clock {0} ms", " · 时钟 {0} ms"},
    {Word::summary, "{0} at {1} ms · {2} {2|turn|turns}, {3} {3|callback|callbacks} · idle {4} %",
     "{0}，于 {1} ms · {2} 轮循环，{3} 个回调 · 空闲 {4} %"},
    {Word::summary_hash, " · trace {0}", " · 轨迹 {0}"},
    {Word::exit_code, "exit code {0}", "退出码 {0}"},
    {Word::stopped_by_limit, "stopped by the limit of {0}", "因达到限制（{0}）而停止"},
    {Word::exit_loop_empty, "exit code {0}: nothing is left to wait for", "退出码 {0}：没有什么可等待的了"},
    {Word::exit_process_exit, "exit code {0}: process.exit() was called", "退出码 {0}：调用了 process.exit()"},
    {Word::exit_uncaught, "exit code {0}: nothing caught an exception", "退出码 {0}：有异常未被捕获"},
    {Word::exit_limit, "exit code {0}: a limit was reached", "退出码 {0}：达到了限制"},
    {Word::exit_unsettled_await, "exit code {0}: the main module still awaits, and nothing is left that could settle it",
     "退出码 {0}：主模块仍在 await，而已没有什么能让它敲定"},
    {Word::exit_signal, "exit code {0}: ended by {1}", "退出码 {0}：被 {1} 终止"},
    {Word::exit_main_returned, "exit code {0}: main() has returned", "退出码 {0}：main() 已返回"},
    {Word::a_signal, "a signal", "一个信号"},
    {Word::limit_reached, "limit reached", "达到限制"},
    {Word::limit_time, "limit reached: {0} ms of virtual time (limits.time)", "达到限制：{0} ms 的虚拟时间（limits.time）"},
    {Word::limit_callbacks, "limit reached: {0} {0|callback|callbacks} (limits.callbacks)",
     "达到限制：{0} 个回调（limits.callbacks）"},
    {Word::limit_steps, "limit reached: {0} {0|step|steps} (limits.steps)", "达到限制：{0} 步（limits.steps）"},
    {Word::limit_queue, "limit reached: {0} entries in a queue (limits.queue)", "达到限制：一个队列中有 {0} 项（limits.queue）"},
    {Word::limit_depth, "limit reached: calls {0} deep (limits.depth)", "达到限制：调用嵌套 {0} 层（limits.depth）"},
    {Word::limit_memory, "limit reached: there is no memory for more", "达到限制：内存不足"},
    // ---- phases of the loop ----
    {Word::phase_main, "main", "主脚本"},
    {Word::phase_timers, "timers", "定时器"},
    {Word::phase_pending, "pending", "待定回调"},
    {Word::phase_idle, "idle", "空闲"},
    {Word::phase_prepare, "prepare", "准备"},
    {Word::phase_poll, "poll", "轮询"},
    {Word::phase_check, "check", "检查"},
    {Word::phase_closing, "closing", "关闭回调"},
    {Word::phase_task, "task", "任务"},
    {Word::phase_rendering, "rendering", "渲染"},
    {Word::phase_idle_period, "idlePeriod", "空闲时段"},
    {Word::phase_before_exit, "beforeExit", "beforeExit"},
    {Word::phase_exit, "exit", "退出"},
    // ---- poll ----
    {Word::until_due, "until {0} is due", "直到 {0} 到期"},
    {Word::the_next_timer, "the next timer", "下一个定时器"},
    {Word::a_timer_is_due, "a timer is due", "有定时器已到期"},
    {Word::no_timer_is_set, "no timer is set", "没有设定定时器"},
    {Word::loop_is_stopping, "the loop is stopping", "事件循环正在停止"},
    {Word::nothing_to_wait_for, "nothing is left to wait for", "没有什么可等待的了"},
    {Word::callbacks_are_pending, "callbacks are pending", "有待定回调"},
    {Word::immediates_are_waiting, "immediates are waiting", "有 immediate 在等待"},
    {Word::idle_handle_is_active, "an idle handle is active", "有空闲句柄处于活动状态"},
    {Word::something_is_closing, "something is closing", "有句柄正在关闭"},
    {Word::did_not_wait, "did not wait: {0}", "没有等待：{0}"},
    {Word::did_not_have_to_wait, "did not have to wait", "无需等待"},
    {Word::waited_until_due, "waited {0} ms, until {1} was due", "等待了 {0} ms，直到 {1} 到期"},
    {Word::waited, "waited {0} ms ({1})", "等待了 {0} ms（{1}）"},
    {Word::waited_at_most, "waited {0} ms (at most {1}, {2})", "等待了 {0} ms（最多 {1}，{2}）"},
    {Word::brought_at_once, "{0}; {1}", "{0}；{1}"},
    {Word::brought_by_waiting, "{0}: {1}", "{0}：{1}"},
    {Word::is_done, "{0} is done ({1})", "{0} 已完成（{1}）"},
    {Word::request_is_done, "a request of {0} is done ({1})", "{0} 的一个请求已完成（{1}）"},
    {Word::ready_at, "{0}ready at {1}", "{0}于 {1} 就绪"},
    {Word::worked, "{0}ran {1}-{2}", "{0}于 {1}-{2} 执行"},
    {Word::on_thread, "{0} on thread {1}", "{0}，线程 {1}"},
    {Word::after_waiting_for_thread, "{0}, after waiting {1} ms for a thread", "{0}，此前等待线程 {1} ms"},
    {Word::in_each_of_these_turns, "{0}, in each of these turns", "这几轮都是：{0}"},
    // ---- what a program asks for ----
    {Word::due_at, "due at {0}", "到期 {0}"},
    {Word::and_due_at, ", due at {0}", "，到期 {0}"},
    {Word::await_waits, "await: {0} waits", "await：{0} 等待"},
    {Word::again, "{0} again, {1}", "{0} 再次设定，{1}"},
    {Word::again_at_once, "{0} again", "{0} 再次设定"},
    {Word::refresh, "refresh {0}: {1}", "refresh {0}：{1}"},
    {Word::of_work, ", {0} ms of work", "，{0} ms 的工作"},
    {Word::at_line, " (line {0})", "（第 {0} 行）"},
    {Word::will_not_run, "{0}: {1} will not run", "{0}：{1} 不会执行"},
    {Word::no_further_round, "{0}: {1} will have no further round", "{0}：{1} 不会再次触发"},
    {Word::too_late_to_clear, "{0}: too late for {1}, which is running", "{0}：{1} 正在执行，已经太迟"},
    {Word::begins_anew, "refresh: {0} begins anew", "refresh：{0} 重新开始计时"},
    {Word::settled_the_other_way, "{0} will not run: its promise is settled the other way",
     "{0} 不会执行：它的 promise 以另一种方式敲定"},
    {Word::unref, "{0}.unref(): it no longer keeps the process alive", "{0}.unref()：它不再使进程保持运行"},
    // ---- lateness; {0} is came_due or was_ready ----
    {Word::came_due, "came due at {0}", "它在 {0} 到期"},
    {Word::was_ready, "was ready at {0}", "它在 {0} 就绪"},
    {Word::late, "{0} ms late: {1}", "晚了 {0} ms：{1}"},
    {Word::late_none, "it {0}", "{0}"},
    {Word::late_callback, "{1} was running when it {0}", "{0}时，{1} 正在执行"},
    {Word::late_main, "the main script was running when it {0}", "{0}时，主脚本正在执行"},
    {Word::late_stall, "the process did not run when it {0}", "{0}时，进程没有在运行"},
    {Word::late_startup, "Node was still starting when it {0}", "{0}时，Node 还在启动"},
    {Word::late_rounding, "it {0}, but the loop counts whole milliseconds", "{0}，但事件循环只计整毫秒"},
    {Word::late_preempted, "other programs had the CPU when it {0}", "{0}时，CPU 被其他程序占用"},
    {Word::late_throttled, "the CPU quota was used up when it {0}", "{0}时，CPU 配额已用完"},
    {Word::late_stolen, "the hypervisor had the core when it {0}", "{0}时，核心被虚拟机监控程序占用"},
    {Word::late_wakeup, "it {0}, but the thread was still waking up", "{0}，但线程尚未完成唤醒"},
    {Word::late_overhead, "Node itself was at work when it {0}", "{0}时，Node 自身正在工作"},
    {Word::late_behind, "it {0}, but {1} came first", "{0}，但 {1} 排在前面"},
    {Word::late_order, "it {0}, and the loop had other phases to go through first", "{0}，而事件循环先要经过其他阶段"},
    // ---- ticks and microtasks ----
    {Word::between_callbacks, "between callbacks: {0}", "回调之间：{0}"},
    {Word::ticks, "{0} {0|tick|ticks}", "{0} 个 tick"},
    {Word::microtasks, "{0} {0|microtask|microtasks}", "{0} 个微任务"},
    {Word::and_, "{0}, {1}", "{0}，{1}"},
    {Word::module_is_microtask, "an ES module is run from a microtask:", "ES 模块由一个微任务执行："},
    {Word::waits_at_await, "waits at an await", "在 await 处等待"},
    {Word::promise_fulfilled, "promise {0} is fulfilled", "promise {0} 已兑现"},
    {Word::promise_rejected, "promise {0} is rejected", "promise {0} 被拒绝"},
    // ---- steps of a callback ----
    {Word::socket_says, "{0}: {1}", "{0}：{1}"},
    {Word::other_side_ended, "the other side has ended", "对方已结束"},
    {Word::bytes, "{0} {0|byte|bytes}", "{0} 个字节"},
    {Word::computes, "computes for {0} ms, until {1}", "计算 {0} ms，到 {1}"},
    {Word::spins, "spins for {0} ms, until {1}", "空转 {0} ms，到 {1}"},
    {Word::where_process_ended, "{0}, where the process ended", "{0}，进程在此结束"},
    {Word::took_without_core, "{0}: took {1} ms, for it did not have a core to itself all the time",
     "{0}：实际用了 {1} ms，因为它并非一直独占一个核心"},
    {Word::took, "{0}: took {1} ms", "{0}：实际用了 {1} ms"},
    {Word::loop_delay, "monitorEventLoopDelay records {0} ms", "monitorEventLoopDelay 记录到 {0} ms"},
    // ---- steps of the program ----
    {Word::calls, "calls {0}", "调用 {0}"},
    {Word::condition, "condition: {0} is {1}", "条件：{0} 为 {1}"},
    {Word::condition_on, "condition on {0}: {1} is {2}", "对 {0} 的条件：{1} 为 {2}"},
    {Word::line_step, "line {0}", "第 {0} 行"},
    {Word::line_step_of, "line {0} of {1}", "{1} 的第 {0} 行"},
    {Word::returns, "{0} returns {1}", "{0} 返回 {1}"},
    {Word::leaves_by_exception, "an exception ends {0}", "异常使 {0} 结束"},
    {Word::promise_pending, "promise {0} is pending", "promise {0} 待定"},
    {Word::promise_value, "the value of promise {0}: {1}", "promise {0} 的值：{1}"},
    {Word::promise_reason, "the reason of promise {0}: {1}", "promise {0} 的拒绝原因：{1}"},
    {Word::steps_end, "{0} {0|step|steps}; those that follow are not told", "{0} 个步骤；之后的不再列出"},
    // ---- exceptions ----
    {Word::throws, "throws {0}", "抛出 {0}"},
    {Word::uncaught, "uncaught: {0}", "未被捕获：{0}"},
    {Word::caught_by_try, "caught by try: {0}", "被 try 捕获：{0}"},
    {Word::caught_by_listener, "caught by the uncaughtException listener: {0}", "被 uncaughtException 监听器捕获：{0}"},
    {Word::rejects_promise, "rejects the promise: {0}", "使 promise 被拒绝：{0}"},
    {Word::rejection, "nobody handled the rejection: {0}", "没有代码处理这个拒绝：{0}"},
    {Word::rejection_of_promise, "nobody handled the rejection of promise {0}: {1}", "没有代码处理 promise {0} 的拒绝：{1}"},
    {Word::rejection_handled, "a rejection was handled after all: {0}", "一个拒绝后来还是得到了处理：{0}"},
    // ---- the outside and the CPU ----
    {Word::answer_end, "at {0} from outside: {1} has its answer, after {2} ms", "外界，于 {0}：{1} 在 {2} ms 后得到答复"},
    {Word::answer_reset, "at {0} from outside: {1} finds its connection reset, after {2} ms",
     "外界，于 {0}：{1} 在 {2} ms 后发现连接被重置"},
    {Word::answer_refused, "at {0} from outside: {1} is refused, after {2} ms", "外界，于 {0}：{1} 在 {2} ms 后被拒绝连接"},
    {Word::input, "at {0} from outside: {1}", "外界，于 {0}：{1}"},
    {Word::preempted, "other programs had the CPU from {0} to {1}", "从 {0} 到 {1}，CPU 被其他程序占用"},
    {Word::throttled, "the CPU quota was used up from {0} to {1}", "从 {0} 到 {1}，CPU 配额已用完"},
    {Word::stolen, "the hypervisor had the core from {0} to {1}", "从 {0} 到 {1}，核心被虚拟机监控程序占用"},
    {Word::collected, "garbage was collected from {0} to {1}", "从 {0} 到 {1}，进行垃圾回收"},
    {Word::stalled, "the process did not run from {0} to {1}", "从 {0} 到 {1}，进程没有在运行"},
    // ---- columns and blocks of the text trace ----
    {Word::time_column, "time (ms)", "时间 (ms)"},
    {Word::phase_column, "phase", "阶段"},
    {Word::content_column, "what happens", "发生了什么"},
    {Word::turn, "turn {0}", "第 {0} 轮循环"},
    {Word::turns, "turns {0}-{1}", "第 {0}-{1} 轮循环"},
    {Word::end, "end", "结束"},
    // ---- folds: repetitions that are not shown; {1} is what repeats itself ----
    {Word::fold_one, "{0} more like this: {1}", "同样的还有 {0} 次：{1}"},
    {Word::fold_several, "{0} more like these {2}: {1}", "与这 {2} 个同样的还有 {0} 次：{1}"},
    {Word::fold_turn, "{0} more like this turn: {1}", "与这一轮循环同样的还有 {0} 轮：{1}"},
    {Word::fold_turns, "{0} more like these {2} turns: {1}", "与这 {2} 轮循环同样的还有 {0} 次：{1}"},
    {Word::fold_at, "all at {0}", "都在 {0}"},
    {Word::fold_between, "{0} to {1}", "从 {0} 到 {1}"},
    {Word::fold_range, "{0} to {1}", "{0} 到 {1}"},
    {Word::fold_due_between, "due {0} to {1}", "到期 {0} 到 {1}"},
    {Word::fold_lines, "{0} {0|line|lines} of output", "{0} 行输出"},
    {Word::fold_exceptions, "{0} {0|exception|exceptions}", "{0} 个异常"},
    {Word::fold_standstill, "the loop goes on only after the last of them", "最后一个结束之后，事件循环才能继续"},
    {Word::fold_and_standstill, "{0}; {1}", "{0}；{1}"},
    // ---- queues ----
    {Word::queue_timers, "timers", "定时器"},
    {Word::queue_pending, "pending", "待定回调"},
    {Word::queue_immediates, "immediates", "immediate"},
    {Word::queue_pool, "pool", "线程池"},
    {Word::queue_network, "network", "网络"},
    {Word::queue_ready, "ready", "就绪"},
    {Word::queue_writes, "writes", "写入"},
    {Word::queue_closing, "closing", "关闭回调"},
    {Word::queue_ticks, "ticks", "tick"},
    {Word::queue_microtasks, "microtasks", "微任务"},
    {Word::queue_promises, "promises", "promise"},
    {Word::queue_idle, "idle", "idle 句柄"},
    {Word::queue_prepare, "prepare", "prepare 句柄"},
    {Word::queue_check, "check", "check 句柄"},
    {Word::queue_async, "async", "async 句柄"},
    {Word::queue_tasks, "tasks", "任务"},
    {Word::queue_delayed_tasks, "delayed tasks", "延迟任务"},
    {Word::queue_frames, "frame", "动画帧"},
    {Word::queue_idles, "idle", "空闲回调"},
    {Word::waited_for_task, "slept {0} until a task was ready ({1})", "休眠 {0}，直到有任务就绪（{1}）"},
    {Word::waited_for_frame, "slept {0} until the next frame", "休眠 {0}，直到下一帧"},
    {Word::header_of_page, "{0} · machine {1} · seed {2}", "{0} · 机器 {1} · 种子 {2}"},
    {Word::frame_begins, "update the rendering: the frame of {0}", "更新渲染：{0} 的帧"},
    {Word::frame_is_late, "update the rendering: the frame of {0}, {1} late; dropped: {2}",
     "更新渲染：{0} 的帧，晚了 {1}；丢帧：{2}"},
    {Word::and_more, "{0} and {1} more", "{0}，还有 {1} 个"},
    {Word::and_more_lists, "{0}  and {1} more lists", "{0}  还有 {1} 个列表"},
    {Word::name_due, "{0} due {1}", "{0} 到期 {1}"},
    {Word::name_unref, "{0} (unref'd)", "{0} (已 unref)"},
    {Word::timer_list, "[{0} ms] {1}", "[{0} ms] {1}"},
    {Word::timer_of_own, "[{0} ms, a handle of its own] {1}", "[{0} ms，有自己的句柄] {1}"},
    {Word::threads_at_work, "{0} of {1} threads", "{1} 个线程中 {0} 个在工作"},
    {Word::pool_names, "{0}: {1}", "{0}：{1}"},
    {Word::pool_waiting, "{0}; waiting: {1}", "{0}；等待：{1}"},
    {Word::pool_done, "{0}; done: {1}", "{0}；已完成：{1}"},
    // ---- the drawing ----
    {Word::run_of_the_loop, "A run of the Node.js event loop", "Node.js 事件循环的一次运行"},
    {Word::lane_loop, "event loop", "事件循环"},
    {Word::lane_callbacks, "callbacks", "回调"},
    {Word::lane_console, "console", "控制台"},
    {Word::lane_pool, "pool {0|thread|threads}", "线程池"},
    {Word::lane_outside, "outside", "外界"},
    {Word::lane_cpu, "CPU", "CPU"},
    {Word::cpu_others, "others", "其他"},
    {Word::cpu_quota, "quota", "配额"},
    {Word::cpu_stolen, "stolen", "被占用"},
    {Word::cpu_gc, "garbage", "回收"},
    {Word::cpu_stall, "stall", "停顿"},
    {Word::short_late_for, "{0} ms late", "晚 {0} ms"},
    {Word::short_late, "{0}: {1}", "{0}：{1}"},
    {Word::short_late_callback, "{0} was running", "{0} 正在执行"},
    {Word::short_late_stall, "the process did not run", "进程没有在运行"},
    {Word::short_late_startup, "Node was starting", "Node 在启动"},
    {Word::short_late_rounding, "whole milliseconds", "只计整毫秒"},
    {Word::short_late_preempted, "others had the CPU", "其他程序占用 CPU"},
    {Word::short_late_throttled, "the quota was used up", "配额已用完"},
    {Word::short_late_stolen, "the hypervisor had the core", "核心被占用"},
    {Word::short_late_wakeup, "the thread was waking up", "线程在唤醒中"},
    {Word::short_late_overhead, "Node was at work", "Node 在工作"},
    {Word::short_late_behind, "{0} came first", "{0} 排在前面"},
    {Word::another_phase, "another phase", "其他阶段"},
    {Word::short_answer_end, "{0}: answer after {1} ms", "{0}：{1} ms 后答复"},
    {Word::short_answer_reset, "{0}: reset after {1} ms", "{0}：{1} ms 后重置"},
    {Word::short_answer_refused, "{0}: refused after {1} ms", "{0}：{1} ms 后被拒"},
    {Word::short_computes, "computes {0} ms", "计算 {0} ms"},
    {Word::short_spins, "spins {0} ms", "空转 {0} ms"},
    {Word::short_took, "{0}, took {1} ms", "{0}，用了 {1} ms"},
    {Word::short_ref, "ref: {0}", "ref：{0}"},
    {Word::short_unref, "unref: {0}", "unref：{0}"},
    {Word::short_rejection, "unhandled rejection: {0}", "未处理的拒绝：{0}"},
    {Word::short_rejection_handled, "rejection handled after all: {0}", "拒绝后来得到处理：{0}"},
    {Word::legend_callback, "callback", "回调"},
    {Word::legend_nested, "called within", "在其中调用"},
    {Word::legend_tick, "tick", "tick"},
    {Word::legend_microtask, "microtask", "微任务"},
    {Word::legend_computes, "computes", "计算"},
    {Word::legend_spins, "spins", "空转"},
    {Word::legend_waits, "waits in poll", "在轮询中等待"},
    {Word::legend_work, "work on a thread of the pool", "线程池线程上的工作"},
    {Word::legend_stall, "the CPU was not ours", "没有得到 CPU"},
    {Word::legend_life, "from asking to running", "从请求到执行"},
    {Word::legend_late, "due at the diamond, then late", "菱形处到期，此后为延迟"},
    {Word::cut_at, "Cut at {0} ms: the first {1} of {2} callbacks are drawn.",
     "在 {0} ms 处截断：只画出 {2} 个回调中的前 {1} 个。"},
    {Word::had_not_run, "Had not run when the limit ended it: {0}.", "因达到限制而结束时尚未执行：{0}。"},
    {Word::threads_left_out, "{0} more threads of the pool have worked.", "线程池中还有 {0} 个线程工作过，没有画出。"},
    {Word::lives_left_out, "{0} arrows are left out: there would be too many.", "省略了 {0} 个箭头：否则会太多。"},
    {Word::not_to_scale, "heights of gaps are not to scale", "间隔的高度不按比例"},
    {Word::more_notes, "More notes stand in the tooltips of their callbacks.", "其余说明见各回调的提示。"},
    // ---- races ----
    {Word::race, "a race with {0}: on {1} {2} is first in {3} of {4} runs",
     "与 {0} 竞争，先后不定：在 {1} 上的 {4} 次运行中，有 {3} 次是 {2} 在先"},
    {Word::race_untimed, "{0}; {1} has no \"takes\" here: no time", "{0}；{1} 没有 \"takes\"，在这里不花时间"},
    {Word::race_same_time, "{0}; here both are due at the same time", "{0}；在这里两者同时到期"},
    {Word::race_standard, "{0}; the HTML standard leaves it open", "{0}；HTML 标准没有规定先后"},
    {Word::open_sources, "{0} and {1}: between task sources the HTML standard has no order",
     "{0}与{1}：不同任务源之间，HTML 标准没有规定先后"},
    {Word::open_frame, "when the display is ready for a frame is up to the browser and the machine",
     "显示器何时可以绘制一帧，由浏览器和机器决定"},
    {Word::open_idle, "when it is idle, a browser finds out for itself", "何时空闲，由浏览器自行判断"},
    {Word::open_timers, "neither of the two timers was set first with a delay that is not greater: each may be late",
     "两个定时器中，没有一个是先设置且时长不大于另一个的：每个都可能迟到"},
    {Word::open_user, "the user's input comes from outside, in its own time", "用户的输入来自外部，时刻由用户决定"},
    {Word::open_requests, "two requests: either answer may be there first", "两个请求：哪个先得到应答都有可能"},
    {Word::open_channels, "messages of two ports or channels: between these the HTML standard has no order",
     "两个端口或通道的消息：它们之间，HTML 标准没有规定先后"},
    {Word::open_askers, "it follows from the order of those that ask for them", "取决于请求它们的回调的先后"},
    {Word::source_timer, "a timer", "定时器"},
    {Word::source_user, "the user's input", "用户的输入"},
    {Word::source_message, "a message", "消息"},
    {Word::source_network, "an answer of the network", "网络的应答"},
    {Word::source_dom, "an event of the document", "文档的事件"},
    {Word::source_post_task, "a task of scheduler.postTask()", "scheduler.postTask() 的任务"},
    {Word::source_idle, "the timeout of an idle callback", "空闲回调的超时"},
    {Word::source_history, "the history", "历史记录"},
    {Word::race_also, "{0}; one with {1} as well", "{0}；与 {1} 也有竞争"},
    {Word::race_tells_more, "{0}; loopsim orders tells more", "{0}；详情见 loopsim orders"},
    // ---- tooltips and the description of the drawing ----
    {Word::tip_phase, "{0} {1}-{2} ms", "{0} {1}-{2} ms"},
    {Word::tip_at, "{0} at {1} ms", "{0}，于 {1} ms"},
    {Word::tip_until, ", until {0} ms", "，到 {0} ms"},
    {Word::tip_work, "{0}: {1}", "{0}：{1}"},
    {Word::description, "{0}. {1}. Callbacks in order, times in ms: ", "{0}。{1}。按顺序列出的回调，时间单位为 ms："},
    {Word::description_callback, "{0} at {1}", "{0} 于 {1}"},
    {Word::description_late, ", {0} late", "，晚 {0}"},
    {Word::description_fold, "at {0}: {1}", "于 {0}：{1}"},
    {Word::description_next, "; ", "；"},
    {Word::description_end, ".", "。"},
    {Word::description_cut, "; and more that is not drawn.", "；其余没有画出。"},
    // ---- explanations ----
    {Word::part_asked, "Who asked for it", "由谁请求"},
    {Word::part_waited, "What it waited for", "它在等什么"},
    {Word::part_late, "What held it up", "什么耽搁了它"},
    {Word::part_ran, "Why it ran then", "为什么在那时执行"},
    {Word::part_result, "What came of it", "结果如何"},
    {Word::part_never, "Why it never ran", "为什么从未执行"},
    {Word::part_race, "Whether that is certain", "这是否确定"},
    {Word::part_chain, "What led to it", "它的由来"},
    {Word::what_it_wrote, "What it wrote", "它的输出"},
    {Word::never_ran, "never ran", "从未执行"},
    {Word::which_never_ran, "{0}, which never ran", "{0}，从未执行"},
    {Word::ran_in_phase, "{0}, {1} ms, {2}", "{0}，{1} ms，{2}"},
    {Word::ran_in_phase_of_turn, "{0}, {1} ms, {2} of turn {3}", "{0}，{1} ms，第 {3} 轮循环的{2}阶段"},
    {Word::sources, "Where these rules are implemented:", "这些规则在源码中的位置："},
    // ---- the runtime io ----
    {Word::io_header, "{0} · machine {1} · seed {2}", "{0} · 机器 {1} · 种子 {2}"},
    {Word::io_process, "process", "进程"},
    {Word::io_kernel, "kernel", "内核"},
    {Word::io_process_begins, "the process begins: {0}", "进程开始：{0}"},
    {Word::io_blocked, "blocked in {0}", "阻塞在 {0} 中"},
    {Word::io_waits_for_threads, "waits for its threads", "等待它的线程"},
    {Word::io_runs_again, "runs again", "重新运行"},
    {Word::io_computes, "computes", "计算"},
    {Word::io_meanwhile, "does its other work", "做其他工作"},
    {Word::io_handler, "is in its handler", "在信号处理函数中"},
    {Word::io_ended, "ends; CPU: {0} ms of its own, {1} ms in the kernel", "结束；CPU：自身 {0} ms，内核 {1} ms"},
    {Word::io_spins, "{0} = -1 EAGAIN, {1} {1|round|rounds} in vain until {2} ms", "{0} = -1 EAGAIN，徒劳 {1} 轮，直到 {2} ms"},
    {Word::io_arrives, "{0} {0|byte arrives|bytes arrive} at {1} ({2})", "{0} 字节到达 {1}（{2}）"},
    {Word::io_ends, "the other side of {0} ({1}) ends", "{0}（{1}）的另一端结束"},
    {Word::io_copies, "copies {0} {0|byte|bytes} of {1}, {2} ms", "复制 {1} 的 {0} 字节，{2} ms"},
    {Word::io_cut, "{0}; the rest of the message is lost", "{0}；该消息的其余部分丢失"},
    {Word::io_wakes, "wakes the process", "唤醒进程"},
    {Word::io_wakes_thread, "wakes T{0}", "唤醒 T{0}"},
    {Word::io_signal_pending, "{0} is pending", "{0} 待处理"},
    {Word::io_signal_merged, "{0} is pending already", "{0} 已经待处理"},
    {Word::io_signal_queued, "{0} is queued, of {1}", "{0} 入队（{1}）"},
    {Word::io_signal_delivered, "{0}: the handler begins", "{0}：信号处理函数开始"},
    {Word::io_signal_accepted, "{0} is taken from the queue", "{0} 从队列取出"},
    {Word::io_signal_overflow, "the queue of signals is full: SIGIO instead", "信号队列已满：改为 SIGIO"},
    {Word::io_completed, "the read of {0} is done: {1} {1|byte|bytes}", "{0} 的读取完成：{1} 字节"},
    {Word::io_taken, "takes a completion: {0} {0|byte|bytes} of {1}", "取出一个完成项：{1} 的 {0} 字节"},
    {Word::io_message, "has message {0} of {1}, {2} ms after it arrived", "得到 {1} 的第 {0} 条消息，到达后 {2} ms"},
    {Word::io_summary, "{0} at {1} ms · {2} {2|call|calls}, {3} in vain", "{0}，于 {1} ms · {2} 次调用，{3} 次徒劳"},
    {Word::io_application, "application", "应用程序"},
    {Word::io_system_call, "system call", "系统调用"},
    {Word::io_no_data, "no data ready", "没有就绪的数据"},
    {Word::io_wait_for_data, "wait for data", "等待数据"},
    {Word::io_copy_data, "copy data from kernel to user", "将数据从内核复制到用户空间"},
    {Word::io_copy_complete, "copy complete", "复制完成"},
    {Word::io_rounds, "{0} {0|round|rounds} in vain", "徒劳 {0} 轮"},
    {Word::io_lasting, "{0} {1} ms", "{0} {1} ms"},
    {Word::io_figures, "{0} {0|call|calls}, {1} in vain · CPU {2} ms · blocked {3} ms",
     "{0} 次调用，{1} 次徒劳 · CPU {2} ms · 阻塞 {3} ms"},
    {Word::io_late, " · late by {0} ms on average", " · 平均延迟 {0} ms"},
    {Word::io_not_drawn, "{0} more {0|process is|processes are} not drawn", "另有 {0} 个进程未画出"},
    {Word::io_drawing_ends, "the drawing ends here: the run goes on", "图到此为止：运行仍在继续"},
    {Word::io_description, "Time goes downwards; for each process one column for the application and one for the kernel",
     "时间向下；每个进程有应用程序和内核两列"},
    {Word::io_sets_up, "sets up: {0} {0|call|calls}", "设置：{0} 次调用"},
    {Word::io_ends_short, "{0} ends", "{0} 结束"},
    {Word::io_bytes_at, "{0} {0|byte|bytes} at {1}", "{1} 到达 {0} 字节"},
    {Word::io_copies_short, "copies {0} {0|byte|bytes} of {1}", "复制 {1} 的 {0} 字节"},
    {Word::io_blocked_short, "blocked", "阻塞"},
    {Word::io_message_of, "{1}, message {0}", "{1} 的第 {0} 条消息"},
}};
// clang-format on

constexpr bool in_order() {
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    if (static_cast<std::size_t>(kEntries[i].word) != i) return false;
  }
  return true;
}
static_assert(in_order());

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool begins_wide(std::string_view text) { return !text.empty() && is_wide(first_character(text).code); }
bool ends_wide(std::string_view text) { return !text.empty() && is_wide(last_character(text).code); }
bool ends_with_wide_and_space(std::string_view text) {
  return text.ends_with(' ') && ends_wide(text.substr(0, text.size() - 1));
}

}  // namespace

std::string_view template_of(Language language, Word word) {
  const Entry& entry = kEntries[static_cast<std::size_t>(word)];
  return language == Language::chinese ? entry.chinese : entry.english;
}

std::string fill(std::string_view text, std::span<const std::string_view> arguments) {
  std::string filled;
  while (true) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos || !is_digit(text[open + 1])) return filled.append(text);
    filled += text.substr(0, open);
    const auto index = static_cast<std::size_t>(text[open + 1] - '0');
    const std::string_view argument = index < arguments.size() ? arguments[index] : std::string_view();
    const std::string_view forms = text.substr(open + 2, close - open - 2);  // "|one|several", or empty
    text.remove_prefix(close + 1);
    if (!forms.empty()) {
      const std::size_t second = std::min(forms.find('|', 1), forms.size() - 1);
      filled += argument == "1" ? forms.substr(1, second - 1) : forms.substr(second + 1);
      continue;
    }
    if (begins_wide(argument) && ends_with_wide_and_space(filled)) filled.pop_back();
    filled += argument;
    if (ends_wide(argument) && text.starts_with(' ') && begins_wide(text.substr(1))) text.remove_prefix(1);
  }
}

std::string say(Language language, Word word, std::initializer_list<std::string_view> arguments) {
  return fill(template_of(language, word), std::span(arguments.begin(), arguments.size()));
}

std::string_view phase_words(Language language, Phase phase) {
  static_assert(static_cast<int>(Phase::exit) ==
                static_cast<int>(Word::phase_exit) - static_cast<int>(Word::phase_main));
  return template_of(language, static_cast<Word>(static_cast<int>(Word::phase_main) + static_cast<int>(phase)));
}

}  // namespace loopsim
