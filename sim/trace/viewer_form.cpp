#include "sim/trace/viewer_form.hpp"

namespace loopsim {

std::unique_ptr<ViewerForm> make_viewer_form(ByteOutput& output, PerfettoForm form) {
  return form == PerfettoForm::json ? make_perfetto_json(output) : make_perfetto_protobuf(output);
}

}  // namespace loopsim
