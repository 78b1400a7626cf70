// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace pal::test {

// A PDF of plain ASCII lines in Helvetica, one string with line ends per page: the size that a test wants, made when it runs. `drawing`:
// operators that draw something on every page.
inline std::string makeTextPdf(const std::vector<std::string>& pages, const std::string& drawing = "") {
    std::vector<std::string> objects{
        "<< /Type /Catalog /Pages 2 0 R >>", "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"};
    std::string kids;
    for (const std::string& page : pages) {
        std::string content = "BT /F 9 Tf 11 TL 50 800 Td (";
        for (const char c : page) {
            if (c == '\n') {
                content += ") Tj T* (";
            } else {
                if (c == '(' || c == ')' || c == '\\') content += '\\';
                content += c;
            }
        }
        content += ") Tj ET " + drawing;
        objects.push_back(fmt::format("<< /Length {} >>\nstream\n{}\nendstream", content.size(), content));
        objects.push_back(
            fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /Font << "
                        "/F 3 0 R >> >> >>",
                        objects.size()));
        kids += fmt::format("{} 0 R ", objects.size());
    }
    objects[1] = fmt::format("<< /Type /Pages /Count {} /Kids [{}] >>", pages.size(), kids);
    std::string out = "%PDF-1.4\n";
    std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
    for (size_t i = 0; i < objects.size(); ++i) {
        table += fmt::format("{:010} 00000 n \n", out.size());
        out += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
    }
    const size_t start = out.size();
    return out + table +
           fmt::format("trailer << /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n", objects.size() + 1, start);
}

}  // namespace pal::test
