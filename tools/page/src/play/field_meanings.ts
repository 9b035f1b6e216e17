// What the fields of a profile mean, in Chinese. The English is the engine's own, sim/node/profile_fields.cpp.

export const kFieldMeanings: Readonly<Record<string, string>> = {
  // the loop
  loop_order:
    '一轮循环从哪里开始：从定时器开始，或在定时器之后（这时定时器在第一轮之前先执行一次，在每一轮中最后执行）',
  pending_after_poll: '轮询之后立即再次处理待定回调队列，最多 8 次',
  pending_keeps_alive: '仅凭待定回调队列中的内容，循环也会继续',
  first_timers_if_stopped: '即使循环已被停止，第一轮之前的定时器也会执行',
  poll_looks_first: '可能要睡眠的轮询先做一次不阻塞的轮询，这会更新循环时间，然后只睡眠余下的时间',
  timers_collected_first:
    '定时器阶段先把所有到期的 libuv 定时器从堆中取出，然后才调用第一个；其间启动的定时器等到下一趟',
  first_poll_wakes: '启动期间 V8 对其堆内存的处理会立即唤醒第一次轮询',
  first_wake_drains:
    'V8 对第一次轮询的唤醒是一个任务，有自己的回调作用域（callback scope），该作用域结束时执行异常留下的 tick 和微任务',
  closing_timer_starts: '对正在关闭的句柄调用 uv_timer_start() 不是错误（仅限单独的 libuv）',
  timeout_counts_watchers: '还有描述符等待下一次轮询来登记时，uv_backend_timeout() 为 0（仅限单独的 libuv）',
  once_minds_idle: '空闲阶段之前如果有活动的空闲句柄，UV_RUN_ONCE 就不阻塞（仅限单独的 libuv）',
  measures_idle_time: 'uv_loop_configure() 认识 UV_METRICS_IDLE_TIME（仅限单独的 libuv）',
  sides_are_known: '读写未连接的流会被拒绝：UV_ENOTCONN、UV_EPIPE（仅限单独的 libuv）',
  reading_twice_fails: '对已在读取的流调用 uv_read_start() 得到 UV_EALREADY（仅限单独的 libuv）',
  eof_stops_reading_late: '在报告结束的回调中，流仍算作正在读取（仅限单独的 libuv）',
  eof_ends_readable: '读到结束的流不再可读（仅限单独的 libuv）',
  error_ends_sides: 'read() 出错之后，流既不可读也不可写（仅限单独的 libuv）',
  shutdown_ends_writable: '从 uv_shutdown() 起，流就不可写（仅限单独的 libuv）',
  pipe_connect_reads: 'uv_pipe_connect() 也监视数据，而这些数据没有人读取（仅限单独的 libuv）',
  writes_go_on: '一次写入完成后，排在后面的写入立即接着进行；此前要等下一个事件（仅限单独的 libuv）',
  written_may_follow: '写入的回调中发起并已完成的写入会立即得到通知（仅限单独的 libuv）',
  bind_fails_connect: 'uv_tcp_connect() 也会报告 uv_tcp_bind() 的端口已被占用（仅限单独的 libuv）',
  poll_stop_forgets: '停止的 poll 句柄会从 epoll 和手头的事件中移除（仅限单独的 libuv）',
  poll_init_checks: '对已被监视的描述符调用 uv_poll_init() 得到 UV_EEXIST（仅限单独的 libuv）',
  poll_start_checks: '对已被另一句柄监视的描述符调用 uv_poll_start() 得到 UV_EEXIST（仅限单独的 libuv）',
  closing_signal_turns: '正在关闭、尚有信号在途的信号句柄让循环不停转动，直到收到这些信号；此前它在一旁等待（仅限单独的 libuv）',
  caught_signal_keeps_active: '停止的信号句柄在收到在途的信号之前一直是活动的（仅限单独的 libuv）',
  slow_io_limit: '线程池最多同时执行 (n + 1) / 2 个域名查询',
  runs_loop_once: 'Node 每一轮都调用 `uv_run(ONCE)`，它在结束时再执行一次定时器',
  module_runs_in_poll: 'ES 模块的模块体在循环之内执行，即在它的文件读完时',
  module_error_hops:
    'ES 模块的模块体中的异常，经模块加载器传递到它的 `uncaughtException`，其间的微任务数；模块中有 await 时再多一个',
  exit_tells_unsettled: '顶层 await 始终没有继续时，`exit` 的监听器得到的退出码是 13',
  whole_file_requests: '`readFile` 和 `writeFile` 都只是对线程池的一个请求',

  // timers
  timer_model: '每种延时一个 libuv 定时器；或者全部共用一个，各个列表排在一个队列里',
  interval_start: 'interval 的下一次从何时算起：回调结束时，或回调即将开始时',
  list_rearm:
    '列表的第一个定时器尚未到期时，列表要等多久：按这一趟开始时算的剩余时间；按现在算的剩余时间，可能为 0；或者至少 1 ms',
  timers_after_throw:
    '异常得到处理之后定时器如何继续：由一个 tick 继续该列表；由各自的 tick 继续它和其间到期的、延时更长的列表；' +
    '或者立即继续这一趟本身',
  thrown_unref_timer_closes: '已 unref 的定时器抛出异常后即被关闭，因此 `refresh()` 不起作用',
  unref_timer_reads_clock: '在已 unref 的定时器的回调之前读取时钟，这会推进循环时间',
  list_is_handle:
    '列表就是它的 libuv 定时器，列表执行完后该定时器即被关闭，即使其间 `unref()` 已把它给了某个定时器；' +
    '发现该定时器已关闭的 tick 会报告 `list[kOnTimeout] is not a function`',
  emptied_list_closes: '异常之后已空的列表立即关闭',
  fired_timer_loses_ref:
    '已触发或已清除的定时器，既不算使进程保持运行的，也不算不使进程保持运行的：`refresh()` 使它成为后者，`ref()` 不起作用',
  drain_between_timers: '同一趟中的两个定时器之间会执行 tick 和微任务',
  clear_ends_fired_timer: '已触发的定时器仍可清除：此后 `refresh()` 不再设定它',
  long_delay_warns: '超过 2147483647 ms 的延时会引起一个警告，警告又引起一个 tick',
  odd_delay_warns: '第一个负数的延时和第一个不是数字的延时各引起一个警告，警告又引起一个 tick',
  refresh_reads_clock: '对已清除的定时器调用 `refresh()` 会读取 libuv 的时钟，这会推进循环时间',

  // immediates
  drain_between_immediates: '同一轮循环的两个 immediate 之间会执行 tick 和微任务',
  immediates_after_throw:
    '一批 immediate 在异常之后如何继续：由一个 tick 执行其余的和排在其后的 immediate；由检查阶段执行其余的；' +
    '或者还包括其间排入的',
  lost_immediates:
    '一个 immediate 清除它自己和下一个，或者清除它自己并抛出异常时，这一批中其余的永远不会执行；' +
    'Node 8 会继续等待它们，它的循环永远转下去',
  immediates_have_ref: 'immediate 有 `ref()` 和 `unref()`',
  cleared_immediate_turns: '最后一个 immediate 被清除后，循环仍为它转一轮',
  check_drains_first: '异常留下的 tick 和微任务在检查阶段开始时执行',

  // child processes, signals, servers
  child_tells_spawn: '子进程启动后触发 `spawn`',
  signal_gives_its_name: '信号的监听器会得到信号的名字',
  accepts_one_per_turn: '服务器在一个轮询阶段只接受一个连接；此前的版本接受所有等待的连接',
  listen_error_explains:
    '端口被占用的错误会说明原因：`listen EADDRINUSE: address already in use :::80`，此前的版本为 `listen EADDRINUSE :::80`',

  // sockets
  writes_are_queued: '立即完成的写入也要经过待定回调队列',
  failed_write_is_late: '立即失败的写入会再试一次，它的错误从待定回调队列报告',
  eof_keeps_shutdown: '读到结尾（EOF）时，正在关闭写端（shutdown）的句柄仍保持活动',
  shutdown_in_poll: '套接字本侧的写端由下一次轮询关闭（shutdown）；此后的版本则经由待定回调队列',
  hup_ends_reading: '双方都已结束时，结尾（EOF）与最后的字节一起到达，在同一个事件中',
  gone_write_succeeds: '失败的写入，如果它的套接字在其间已被销毁，算作完成',
  writev_is_late: '一次写入中的多个缓冲区从不立即尝试写出；写完时会调用 JavaScript，并执行它的 tick',

  // readable streams
  high_water_mark: '流在表示“够了”之前缓冲的字节数',
  readable_generation:
    '可读流的代次。第一代在数据到达时立即流动（flow），在每个未经缓冲的 `data` 之后和每次空读之后继续读取，' +
    '但流动时不由 tick 读取；第二代在一个 tick 中开始流动，只要有空间就读取；第三代一直读取，直到被停止',
  eof_tells_once: '`readable` 尚待触发时不报告结尾（EOF）',
  data_needs_listener: '没有 `data` 的监听器时，到达的数据要经过缓冲区',
  destroyed_reads_nothing: '不从已销毁的流读取',
  error_reads_nothing: '不从有错误的流读取',
  end_after_error: '在错误之后触发 `end`',

  // writable streams
  failed_write_destroys: '失败的写入销毁套接字；此后的版本由套接字的流来销毁',
  keeps_error: '流保留它的第一个错误：不再写入，也不再完成（finish），`destroy()` 在一个 tick 中触发该错误一次',
  write_error:
    '写入失败时：立即触发 `error`，如果是立即失败的，回调在一个 tick 中调用；同样，并且之后可能触发 `finish`；' +
    '或者两者都在那个 tick 中，回调在先',
  error_fails_writes: '未完成的写入以流自己的错误失败；此前的版本以 `ERR_STREAM_DESTROYED` 失败',
  no_data_after_error: '`error` 或 `close` 之后不再有 `data`',
  drain_unless_ended: '`end()` 或 `destroy()` 之后不再有 `drain`',
  writes_share_tick: '没有回调的写入共用一个 tick',
  write_skips_tick: '没有回调且立即成功的写入不需要 tick',
  written_needs_no_drain: '立即完成的写入不要求 `drain`',
  callbacks_get_null: '一切正常时，`write()` 和 `end()` 的回调得到 `null`；此前的版本什么也得不到',
  destroy_fails_writes: '`destroy()` 在一个 tick 中使未完成的写入和未完成的 `end()` 失败',
  write_buffer:
    '未完成写入的缓冲区：列表；或者数组，其中一起写出的多个写入算作一个，正在进行的写入推迟 `finish`，' +
    '如果某个写入失败，或在 `destroy()` 之后才完成，其余的都失败',
  destroyed_skips_final: '不调用已销毁的流的 `_final()`',
  errors_have_codes: '流和服务器的错误带有错误码：`Error [ERR_STREAM_WRITE_AFTER_END]`',
  write_after_end: '`end()` 之后的写入：立即触发 `error`，然后在一个 tick 中调用回调；或者回调在先',
  ending_refuses_writes: '`end()` 正在进行时的写入，也算作 `end()` 之后的写入',
  destroyed_write:
    '对已销毁的套接字的写入：照常交给它；以 `ERR_STREAM_DESTROYED` 失败，排在其后的都不写出；' +
    '或者不算写入，只有它的回调得到该错误',
  final_call: '全部写完后由什么关闭本侧的写端：`finish` 的监听器、在一个 tick 中的 `_final()`，或者立即',
  finish_event: '如何触发 `finish`：立即；在一个 tick 中；只在一切仍处于完成状态时；只在那个 tick 执行时仍是如此时',
  end_callback: '如何调用 `end()` 的回调：作为 `finish` 的监听器；也作为 `error` 的监听器；或者在 `finish` 之前从一个列表调用',
  end_tells_error: '对已完成（finish）或已销毁的流调用 `end()`，其回调得到一个错误；此前的版本中，第二次 `end()` 不起作用',
  end_gives_error: '对有错误的流调用 `end()`，其回调得到该错误',
  end_writes_by_itself: '`end(data)` 用流自己的函数写入；此前的版本用 `write()`，它在对方已结束时可能已被替换',

  // sockets and servers, in JavaScript
  not_running_text: '对没有在监听的服务器调用 `close()` 的错误消息',
  closed_socket_text: '向没有句柄的套接字写入的错误消息',
  closed_write_destroys: '向没有句柄的套接字写入会销毁它',
  sides_are_computed: '套接字是否可读、可写，由它的流得出：有错误的流不可读也不可写；此前的版本则是设定的值',
  tells_ready: '`connect` 之后触发 `ready`',
  end_reads: '`end()` 会查看对方是否已结束',
  close_fails_write: '`close` 使等待连接的写入失败',
  connect_keeps_ended: '在连接过程中已结束（end）的套接字，连接后不可写',
  auto_destroy: '套接字有 `autoDestroy`：双方都已结束时被销毁，自身出错时也被销毁',
  final_waits_if_gone: '没有句柄的套接字的 `_final()` 等待 `connect`',
  write_after_fin: '对方结束之后的写入：立即触发 `error`，在一个 tick 中触发，或者套接字被销毁',
  socket_end: '从双方结束到 `destroy()` 的路径：一个专门的事件；一个也负责销毁的 `end` 监听器；先关闭本侧；或者只由流完成',

  // promises and exceptions
  await_wraps: '`await` 用一个新的 promise 包装它的操作数，这要多用两个微任务',
  following: '以一个 promise 来 resolve 时会怎样：由一个单独的任务调用它的 `then`；已敲定的被立即接管；该 promise 被存下来',
  rejection_policy: '无人处理的拒绝（rejection）会怎样',
  exception_has_origin: '`uncaughtException` 的监听器通过第二个参数得知异常的来源',
  exception_immediate_ticks: '异常得到处理后，Node 排入的 immediate 自己执行 tick',
  double_resolve_ticks: '对一个 promise 再次 resolve 或 reject 会排入一个 tick，由它触发 `multipleResolves`',
  rejection_queues_tick: '未处理的拒绝会排入执行微任务的那个 tick',
  rejections_before_ticks: '微任务之后立即报告未处理的拒绝；此后的版本则在微任务排入的 tick 之后报告',
  rejections_until_none: '由监听器引起的拒绝在同一次中一并报告；此后的版本则留到下一次',
  late_handlers_tick: '`rejectionHandled` 有自己的 tick；此后的版本与未处理的拒绝一起触发，且在它们之前',
  late_handlers_warn: '如果 `rejectionHandled` 没有监听器，事后才被处理的拒绝会触发一个警告',
  failed_tick_is_done: '抛出异常的 tick 算作已完成；否则算作未完成，于是下一个回调会清空队列',
  rejections_as_snapshot:
    '一批拒绝按当时的样子报告，即使某个监听器处理了其中的另一个；如果某个监听器抛出异常，其余的就丢失了',
  handler_hides_rejections: '为尚未报告的拒绝添加处理程序，会使 Node 忘记其他待报告的拒绝，直到下一次清空队列',
  queue_microtask_warns: '第一次使用 `queueMicrotask` 会排入一个 tick，由它警告这是实验性功能',
  late_handlers_drain: '`rejectionHandled` 之后再清空一次 tick 队列和微任务队列',
  drains_after_main_threw: '主脚本虽然抛出了异常，它的 tick 也立即执行',
  unhandled_error: "没有监听器时，`emit('error', value)` 抛出的内容中 `(value)` 之前的部分",
  unhandled_error_text:
    "没有监听器时，`emit('error', text)` 抛出的内容中的文本：原样；放在单引号中；放在文本中没有的引号中；" +
    '或者同样，但控制字符写作 `\\xNN`',
  promises_have_tag: 'promise 的文本是 `[object Promise]`，此前的版本为 `[object Object]`',
  property_error_reading:
    "`Cannot read properties of undefined (reading 'x')`，此前的版本为 `Cannot read property 'x' of undefined`",
  clear_text_error: "`clearTimeout('text')` 抛出的内容，其中 `{}` 代表该文本",

  // exit codes
  code_after_exception:
    '未捕获的异常之后的退出码：1；或者 `exit` 的监听器为 `process.exitCode` 设定的值，如果它是 Int32；或者无论它是什么',
  exit_code_checked: '`process.exitCode` 和 `process.exit()` 遇到非整数时抛出异常',
  exit_takes_any_code: '`process.exit(code)` 把 `process.exitCode` 设为任何退出码；此前的版本只接受算作 true 的值或 0',
  before_exit_gives_int32: '`beforeExit` 的监听器得到退出码的低 32 位；此前的版本得到完整的退出码',
  exit_gives_int32: '`process.exit()` 调用的 `exit` 监听器得到退出码的低 32 位；此前的版本得到所设的值',
  unset_exit_code_is_kept: '`process.exitCode` 被 `exit` 的监听器清除（unset）后，进程以此前的退出码结束',
};
