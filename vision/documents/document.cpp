// SPDX-License-Identifier: Apache-2.0
#include "vision/documents/document.h"

namespace pal {

std::string_view documentKindName(DocumentKind kind) {
    switch (kind) {
        case DocumentKind::kPdf:
            return "pdf";
        case DocumentKind::kDocx:
            return "docx";
        case DocumentKind::kOdt:
            return "odt";
        case DocumentKind::kEpub:
            return "epub";
        case DocumentKind::kHtml:
            return "html";
        case DocumentKind::kMarkdown:
            return "markdown";
        case DocumentKind::kCsv:
            return "csv";
        case DocumentKind::kCode:
            return "code";
        case DocumentKind::kText:
            return "text";
    }
    return "unknown";
}

}  // namespace pal
