// What an object says about the tenant it stands for, in annotations: any text, kept within what Kubernetes takes.
#pragma once
#include <string>
#include <vector>

#include "cmb2kueue/kueue/objects.h"
#include "cmb2kueue/model/tenant_model.h"

namespace cmb2kueue::translate {

struct Annotations {
  kueue::Pairs pairs;            // sorted by key
  std::vector<std::string> cut;  // keys, without prefix, whose value is not whole
  bool identity_fits = true;     // id and name are always whole; false: they alone are too much
};

// Kubernetes takes 256 KiB of annotations an object, and kubectl keeps a copy of the object in one of them; ours
// stay below 120 KiB. Id and name first, then path, address, shape, description, and attributes with what is left.
// A text that does not fit ends in "..."; of attributes as many whole entries stay as fit.
Annotations annotations_of(const model::Model& model, const model::Tenant& tenant);

// "cpu=2,memoryMB=4096,instances=10"; "" without a reservation.
std::string shape_text(const model::Model& model, const model::Tenant& tenant);

}  // namespace cmb2kueue::translate
