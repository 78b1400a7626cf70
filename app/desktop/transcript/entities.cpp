// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/entities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace pal::desktop {
namespace {

// Those that are met in answers; the standard's other two thousand are not worth their table.
constexpr std::array kNamed = {
    std::pair{std::string_view("amp"), u'&'},         std::pair{std::string_view("lt"), u'<'},
    std::pair{std::string_view("gt"), u'>'},          std::pair{std::string_view("quot"), u'"'},
    std::pair{std::string_view("apos"), u'\''},       std::pair{std::string_view("nbsp"), u'\u00A0'},
    std::pair{std::string_view("copy"), u'©'},        std::pair{std::string_view("reg"), u'®'},
    std::pair{std::string_view("trade"), u'™'},       std::pair{std::string_view("deg"), u'°'},
    std::pair{std::string_view("plusmn"), u'±'},      std::pair{std::string_view("times"), u'×'},
    std::pair{std::string_view("divide"), u'÷'},      std::pair{std::string_view("middot"), u'·'},
    std::pair{std::string_view("sect"), u'§'},        std::pair{std::string_view("para"), u'¶'},
    std::pair{std::string_view("euro"), u'€'},        std::pair{std::string_view("pound"), u'£'},
    std::pair{std::string_view("yen"), u'¥'},         std::pair{std::string_view("cent"), u'¢'},
    std::pair{std::string_view("hellip"), u'…'},      std::pair{std::string_view("ndash"), u'–'},
    std::pair{std::string_view("mdash"), u'—'},       std::pair{std::string_view("lsquo"), u'‘'},
    std::pair{std::string_view("rsquo"), u'’'},       std::pair{std::string_view("ldquo"), u'“'},
    std::pair{std::string_view("rdquo"), u'”'},       std::pair{std::string_view("laquo"), u'«'},
    std::pair{std::string_view("raquo"), u'»'},       std::pair{std::string_view("bull"), u'•'},
    std::pair{std::string_view("larr"), u'←'},        std::pair{std::string_view("rarr"), u'→'},
    std::pair{std::string_view("uarr"), u'↑'},        std::pair{std::string_view("darr"), u'↓'},
    std::pair{std::string_view("harr"), u'↔'},        std::pair{std::string_view("rArr"), u'⇒'},
    std::pair{std::string_view("le"), u'≤'},          std::pair{std::string_view("ge"), u'≥'},
    std::pair{std::string_view("ne"), u'≠'},          std::pair{std::string_view("asymp"), u'≈'},
    std::pair{std::string_view("infin"), u'∞'},       std::pair{std::string_view("sum"), u'∑'},
    std::pair{std::string_view("radic"), u'√'},       std::pair{std::string_view("micro"), u'µ'},
    std::pair{std::string_view("alpha"), u'α'},       std::pair{std::string_view("beta"), u'β'},
    std::pair{std::string_view("lambda"), u'λ'},      std::pair{std::string_view("pi"), u'π'},
    std::pair{std::string_view("sup2"), u'²'},        std::pair{std::string_view("sup3"), u'³'},
    std::pair{std::string_view("frac12"), u'½'},      std::pair{std::string_view("check"), u'✓'},
    std::pair{std::string_view("thinsp"), u'\u2009'}, std::pair{std::string_view("ensp"), u'\u2002'},
    std::pair{std::string_view("emsp"), u'\u2003'},   std::pair{std::string_view("zwnj"), u'\u200C'},
};

QString fromCode(uint32_t code) {
    const bool valid = code != 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    const auto character = static_cast<char32_t>(valid ? code : 0xFFFD);
    return QString::fromUcs4(&character, 1);
}

}  // namespace

QString entityText(std::string_view entity) {
    const QString written = QString::fromUtf8(entity.data(), static_cast<qsizetype>(entity.size()));
    if (entity.size() < 3 || entity.front() != '&' || entity.back() != ';') return written;
    std::string_view name = entity.substr(1, entity.size() - 2);
    if (name.front() != '#') {
        const auto found =
            std::find_if(kNamed.begin(), kNamed.end(), [&](const auto& pair) { return pair.first == name; });
        return found == kNamed.end() ? written : QString(QChar(found->second));
    }
    name.remove_prefix(1);
    const bool hex = name.starts_with('x') || name.starts_with('X');
    if (hex) name.remove_prefix(1);
    uint32_t code = 0;
    const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
    return error == std::errc{} && stop == name.data() + name.size() ? fromCode(code) : written;
}

}  // namespace pal::desktop
