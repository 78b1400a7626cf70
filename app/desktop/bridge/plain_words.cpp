// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/plain_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <vector>

namespace pal::desktop {
namespace {

// A {} stands for anything, a {*} for another sentence of this list; %1, %2 ... are what stood there.
struct Sentence {
    const char* technical;
    const char* plain;
};

constexpr Sentence kSentences[] = {
    // Places in a file
    {"{}, page {}: {*}", QT_TRANSLATE_NOOP("PlainWords", "%1, page %2: %3")},
    {"page {} is damaged and cannot be drawn",
     QT_TRANSLATE_NOOP("PlainWords", "page %1 is damaged and cannot be drawn")},
    // Warnings about documents
    {"has no text, and this model cannot see",
     QT_TRANSLATE_NOOP("PlainWords", "has no text, and this model cannot see")},
    {"has pictures beside its text, and this model cannot see",
     QT_TRANSLATE_NOOP("PlainWords", "has pictures beside its text, and this model cannot see")},
    {"has no text; shown as a picture it would take {} tokens",
     QT_TRANSLATE_NOOP("PlainWords", "has no text; shown as a picture it would take %1 tokens")},
    {"has no text; shown as {} pictures it would take {} tokens",
     QT_TRANSLATE_NOOP("PlainWords", "has no text; shown as %1 pictures it would take %2 tokens")},
    {"has pictures beside its text; shown as a picture it would take {} tokens",
     QT_TRANSLATE_NOOP("PlainWords", "has pictures beside its text; shown as a picture it would take %1 tokens")},
    {"has pictures beside its text; shown as {} pictures it would take {} tokens",
     QT_TRANSLATE_NOOP("PlainWords", "has pictures beside its text; shown as %1 pictures it would take %2 tokens")},
    {"its pictures cannot be shown: {*}", QT_TRANSLATE_NOOP("PlainWords", "its pictures cannot be shown: %1")},
    {"{} of its {} pictures are not in the file or come twice",
     QT_TRANSLATE_NOOP("PlainWords", "%1 of its %2 pictures are not in the file or come twice")},
    {"nothing but pictures, no text; its image has {} x {} pixels",
     QT_TRANSLATE_NOOP("PlainWords", "nothing but pictures, no text; its image has %1 × %2 pixels")},
    {"a picture or drawing beside the text that covers {} % of the page; its image has {} x {} pixels",
     QT_TRANSLATE_NOOP("PlainWords",
                       "a picture or drawing beside the text covers %1 % of the page; its image has %2 × %3 pixels")},
    {"pictures or drawings beside the text that cover {} % of the page; its image has {} x {} pixels",
     QT_TRANSLATE_NOOP("PlainWords",
                       "pictures or drawings beside the text cover %1 % of the page; its image has %2 × %3 pixels")},
    {"parts may be missing: the page has {} damaged place, the first: {}",
     QT_TRANSLATE_NOOP("PlainWords", "parts may be missing: a place of the page is damaged (%2)")},
    {"parts may be missing: the page has {} damaged places, the first: {}",
     QT_TRANSLATE_NOOP("PlainWords", "parts may be missing: %1 places of the page are damaged, the first: %2")},
    {"nothing but 1 picture, no text", QT_TRANSLATE_NOOP("PlainWords", "nothing but a picture, no text")},
    {"nothing but {} pictures, no text", QT_TRANSLATE_NOOP("PlainWords", "nothing but %1 pictures, no text")},
    {"1 picture is not in the text", QT_TRANSLATE_NOOP("PlainWords", "a picture is not in the text")},
    {"{} pictures are not in the text", QT_TRANSLATE_NOOP("PlainWords", "%1 pictures are not in the text")},
    {"1 comment is not in the text", QT_TRANSLATE_NOOP("PlainWords", "a comment is not in the text")},
    {"{} comments are not in the text", QT_TRANSLATE_NOOP("PlainWords", "%1 comments are not in the text")},
    {"{} places are no {}; replaced by \xEF\xBF\xBD",
     QT_TRANSLATE_NOOP("PlainWords", "%1 places are no %2; replaced by \xEF\xBF\xBD")},
    {"1 place is no {}, the first at byte {}; replaced by \xEF\xBF\xBD",
     QT_TRANSLATE_NOOP("PlainWords", "a place, at byte %2, is no %1; replaced by \xEF\xBF\xBD")},
    {"{} places are no {}, the first at byte {}; replaced by \xEF\xBF\xBD",
     QT_TRANSLATE_NOOP("PlainWords", "%1 places are no %2, the first at byte %3; replaced by \xEF\xBF\xBD")},
    {"the page shows no text of its own (a program would have to fill it)",
     QT_TRANSLATE_NOOP("PlainWords", "the page shows no text of its own (a program would have to fill it)")},
    {"the encoding {} was guessed from the text; the file does not name one",
     QT_TRANSLATE_NOOP("PlainWords", "the encoding %1 was guessed from the text; the file does not name one")},
    {"the picture \"{}\" is not in the file", QT_TRANSLATE_NOOP("PlainWords", "the picture “%1” is not in the file")},
    {"the chapter \"{}\" is named by the book but not in it",
     QT_TRANSLATE_NOOP("PlainWords", "the chapter “%1” is named by the book but not in it")},
    {"the page is damaged and cannot be read",
     QT_TRANSLATE_NOOP("PlainWords", "the page is damaged and cannot be read")},
    {"read without every protection: {}", QT_TRANSLATE_NOOP("PlainWords", "read without every protection: %1")},
    {"{} characters have no known meaning beside {} that have one (a font without character map); the page's image "
     "shows them",
     QT_TRANSLATE_NOOP("PlainWords",
                       "%1 characters have no known meaning beside %2 that have one; the page's image shows them")},
    {"the text looks garbled (most of it is rare letters and signs, as from a font without a character map); the "
     "page's image shows it",
     QT_TRANSLATE_NOOP("PlainWords",
                       "the text looks garbled, most of it is rare letters and signs; the page's image shows it")},
    // Warnings about clips
    {"a frame is damaged or without a time and is left out",
     QT_TRANSLATE_NOOP("PlainWords", "a frame is damaged or without a time and is left out")},
    {"{} frames are damaged or without a time and are left out",
     QT_TRANSLATE_NOOP("PlainWords", "%1 frames are damaged or without a time and are left out")},
    {"reading stopped early: {}", QT_TRANSLATE_NOOP("PlainWords", "reading stopped early: %1")},
    {"the file ends early: its header promises {} s, its frames end at {} s",
     QT_TRANSLATE_NOOP("PlainWords", "the file ends early: it promises %1 s, its frames end at %2 s")},
    {"the file ends early: {} of the {} frames that it lists are there",
     QT_TRANSLATE_NOOP("PlainWords", "the file ends early: %1 of the %2 frames that it lists are there")},
    // What cannot be read
    {"this model cannot see", QT_TRANSLATE_NOOP("PlainWords", "this model cannot see")},
    {"this model knows no clips", QT_TRANSLATE_NOOP("PlainWords", "this model knows no clips")},
    {"the file is empty", QT_TRANSLATE_NOOP("PlainWords", "the file is empty")},
    {"a folder; attach the files in it", QT_TRANSLATE_NOOP("PlainWords", "a folder; attach the files in it")},
    {"a folder, not a document", QT_TRANSLATE_NOOP("PlainWords", "a folder; attach the files in it")},
    {"not a regular file", QT_TRANSLATE_NOOP("PlainWords", "this is no file that can be read")},
    {"no text, document, picture or clip of a known kind (clips: {})",
     QT_TRANSLATE_NOOP("PlainWords", "no text, document, picture or clip of a known kind")},
    {"no document that can be read: {*}", QT_TRANSLATE_NOOP("PlainWords", "no document that can be read: %1")},
    {"damaged or cut short: {}", QT_TRANSLATE_NOOP("PlainWords", "damaged or cut short (%1)")},
    {"a PDF that is damaged or cut off: {}", QT_TRANSLATE_NOOP("PlainWords", "a PDF that is damaged or cut off (%1)")},
    {"a PDF without pages: it is damaged or cut off",
     QT_TRANSLATE_NOOP("PlainWords", "a PDF without pages: it is damaged or cut off")},
    {"a zip archive that is damaged or cut off: {}", QT_TRANSLATE_NOOP("PlainWords", "damaged or cut off (%1)")},
    {"\"{}\" is not in the archive: it is damaged or no document",
     QT_TRANSLATE_NOOP("PlainWords", "damaged or no document (“%1” is not in it)")},
    {"\"{}\" is damaged: {}", QT_TRANSLATE_NOOP("PlainWords", "damaged (%1: %2)")},
    {"\"{}\" is encrypted", QT_TRANSLATE_NOOP("PlainWords", "locked with a password")},
    {"named {} but no zip archive, as one must be: damaged or something else",
     QT_TRANSLATE_NOOP("PlainWords", "named %1, but it is damaged or something else")},
    {"an OpenDocument text locked with a password; save it without one",
     QT_TRANSLATE_NOOP("PlainWords", "an OpenDocument text locked with a password; save it without one")},
    {"the book is copy-protected: \"{}\" is encrypted", QT_TRANSLATE_NOOP("PlainWords", "the book is copy-protected")},
    {"no text: {} of its {} characters are control characters",
     QT_TRANSLATE_NOOP("PlainWords", "no text: %1 of its %2 characters are control characters")},
    {"{} bytes; documents of up to {} bytes are read",
     QT_TRANSLATE_NOOP("PlainWords", "%1 bytes; documents of up to %2 bytes are read")},
    {"{} bytes of text; up to {} are read", QT_TRANSLATE_NOOP("PlainWords", "%1 bytes of text; up to %2 are read")},
    {"more than {} bytes of text", QT_TRANSLATE_NOOP("PlainWords", "more than %1 bytes of text")},
    {"not done after {} s", QT_TRANSLATE_NOOP("PlainWords", "not read after %1 s, so it was given up")},
    {"no progress for {} s", QT_TRANSLATE_NOOP("PlainWords", "no progress for %1 s, so it was given up")},
    {"no video in it", QT_TRANSLATE_NOOP("PlainWords", "there is no video in it")},
    {"0 frames can be shown", QT_TRANSLATE_NOOP("PlainWords", "no frame of it can be shown")},
    {"0 frames can be decoded ({})", QT_TRANSLATE_NOOP("PlainWords", "no frame of it can be shown (%1)")},
    {"not enough memory", QT_TRANSLATE_NOOP("PlainWords", "there is not enough memory for it")},
    {"a sound file", QT_TRANSLATE_NOOP("PlainWords", "a sound file")},
    {"a sound or video file", QT_TRANSLATE_NOOP("PlainWords", "a sound or video file")},
    {"a program", QT_TRANSLATE_NOOP("PlainWords", "a program")},
    {"a database", QT_TRANSLATE_NOOP("PlainWords", "a database")},
    {"an old Microsoft Office document or an encrypted one; save it as .docx without a password, or as PDF",
     QT_TRANSLATE_NOOP(
         "PlainWords",
         "an old Microsoft Office document or a locked one; save it as .docx without a password, or as PDF")},
    {"an RTF document; save it as .docx or PDF",
     QT_TRANSLATE_NOOP("PlainWords", "an RTF document; save it as .docx or PDF")},
    {"a PostScript file; convert it to PDF", QT_TRANSLATE_NOOP("PlainWords", "a PostScript file; convert it to PDF")},
    {"a{} archive; unpack it first", QT_TRANSLATE_NOOP("PlainWords", "an archive; unpack it first")},
    // The data folder
    {"{} was not closed last time; it was checked and is sound",
     QT_TRANSLATE_NOOP("PlainWords",
                       "The program did not come to its end last time; the sessions (%1) were checked and are sound")},
    {"{} was brought from schema {} to {}; a copy of the old file is {}",
     QT_TRANSLATE_NOOP("PlainWords",
                       "The sessions' file %1 was brought to a newer form (%2 to %3); a copy of the old one is %4")},
    {"{} was written by a newer program (schema {}, this one knows {}): it is opened for reading only",
     QT_TRANSLATE_NOOP("PlainWords", "%1 was written by a newer program, so the sessions can be read but not changed")},
    {"{} is on a network file system: locks and databases are not reliable there",
     QT_TRANSLATE_NOOP("PlainWords", "%1 is on a network file system; locks and databases are not reliable there")},
    {"{} is damaged; `pal sessions salvage` saves what can be read ({})",
     QT_TRANSLATE_NOOP("PlainWords", "%1 is damaged; the command `pal sessions salvage` saves what can be read (%2)")},
    {"{} is in use by {}", QT_TRANSLATE_NOOP("PlainWords", "%1 is in use by another program: %2")},
    {"sessions are read again from their text: {*}",
     QT_TRANSLATE_NOOP("PlainWords", "Sessions are read again from their text: %1")},
    {"what models do is not kept: {*}", QT_TRANSLATE_NOOP("PlainWords", "What models do is not kept: %1")},
    {"the copy of the schema, for salvage, is not written: {*}",
     QT_TRANSLATE_NOOP("PlainWords", "A copy that helps against damage of the sessions' file was not written: %1")},
    // Of the window's own threads
    {"an answer is being written", QT_TRANSLATE_NOOP("PlainWords", "an answer is being written")},
    {"no model is loaded", QT_TRANSLATE_NOOP("PlainWords", "no model is loaded")},
    {"the data folder is not open", QT_TRANSLATE_NOOP("PlainWords", "the data folder is not open")},
    {"the sessions are not open", QT_TRANSLATE_NOOP("PlainWords", "the sessions are not open")},
    {"too much waits to be done", QT_TRANSLATE_NOOP("PlainWords", "too much waits to be done")},
    {"a part of a session is computed again; stop that first",
     QT_TRANSLATE_NOOP("PlainWords", "a part of a session is computed again; stop that first")},
    {"the question that is written again is on another branch",
     QT_TRANSLATE_NOOP("PlainWords", "the question that you write again is on another branch; show that first")},
};

// The system's and SQLite's words for what happens to disks, anywhere in a sentence.
constexpr Sentence kDisks[] = {
    {"No such file or directory", QT_TRANSLATE_NOOP("PlainWords", "it is not there (any more)")},
    {"there is no such file", QT_TRANSLATE_NOOP("PlainWords", "it is not there (any more)")},
    {"Permission denied", QT_TRANSLATE_NOOP("PlainWords", "you may not read or write it")},
    {"Operation not permitted", QT_TRANSLATE_NOOP("PlainWords", "you may not read or write it")},
    {"No space left on device", QT_TRANSLATE_NOOP("PlainWords", "the disk is full")},
    {"Disk quota exceeded", QT_TRANSLATE_NOOP("PlainWords", "the disk is full, as far as it is yours")},
    {"database or disk is full", QT_TRANSLATE_NOOP("PlainWords", "the disk is full")},
    {"Read-only file system", QT_TRANSLATE_NOOP("PlainWords", "the disk may only be read")},
    {"attempt to write a readonly database", QT_TRANSLATE_NOOP("PlainWords", "it may only be read")},
    {"unable to open database file", QT_TRANSLATE_NOOP("PlainWords", "the sessions' file cannot be opened")},
    {"Input/output error", QT_TRANSLATE_NOOP("PlainWords", "the disk does not answer or is damaged")},
    {"disk I/O error", QT_TRANSLATE_NOOP("PlainWords", "the disk does not answer or is damaged")},
    {"No such device or address", QT_TRANSLATE_NOOP("PlainWords", "the disk is not there any more")},
    {"No such device", QT_TRANSLATE_NOOP("PlainWords", "the disk is not there any more")},
    {"Stale file handle", QT_TRANSLATE_NOOP("PlainWords", "the disk is not there any more")},
    {"Transport endpoint is not connected", QT_TRANSLATE_NOOP("PlainWords", "the disk is not there any more")},
    {"File name too long", QT_TRANSLATE_NOOP("PlainWords", "the name is too long")},
    {"Too many open files", QT_TRANSLATE_NOOP("PlainWords", "too many files are open")},
};

struct Known {
    QRegularExpression technical;
    std::vector<bool> nested;  // per place
    const char* plain;
};

std::vector<Known> patterns() {
    std::vector<Known> out;
    for (const Sentence& sentence : kSentences) {
        const QString text = QString::fromUtf8(sentence.technical);
        Known known{{}, {}, sentence.plain};
        QString pattern;
        qsizetype from = 0;
        static const QRegularExpression place(QStringLiteral("\\{(\\*?)\\}"));
        for (auto found = place.globalMatch(text); found.hasNext();) {
            const auto at = found.next();
            pattern += QRegularExpression::escape(text.mid(from, at.capturedStart() - from));
            const bool last = at.capturedEnd() == text.size();
            pattern += last ? QStringLiteral("(.*)") : QStringLiteral("(.*?)");
            known.nested.push_back(at.capturedLength(1) > 0);
            from = at.capturedEnd();
        }
        pattern += QRegularExpression::escape(text.mid(from));
        known.technical = QRegularExpression(QRegularExpression::anchoredPattern(pattern),
                                             QRegularExpression::DotMatchesEverythingOption);
        out.push_back(std::move(known));
    }
    return out;
}

QString inLanguage(const char* text) {
    return QCoreApplication::translate("PlainWords", text);
}

QString aboutDisks(QString text) {
    for (const Sentence& words : kDisks) text.replace(QString::fromUtf8(words.technical), inLanguage(words.plain));
    return text;
}

std::optional<QString> whole(const QString& technical) {
    static const std::vector<Known> known = patterns();
    for (const Known& sentence : known) {
        const auto found = sentence.technical.match(technical);
        if (!found.hasMatch()) continue;
        QString out = inLanguage(sentence.plain);
        // All at once: what stands in a place may look like another one.
        QStringList places;
        for (size_t i = 0; i < sentence.nested.size(); ++i) {
            const QString text = found.captured(static_cast<int>(i) + 1);
            bool number = false;
            const qlonglong value = text.toLongLong(&number);
            places << (sentence.nested[i] ? plainWords(text) : number ? QLocale().toString(value) : text);
        }
        static const QRegularExpression mark(QStringLiteral("%([1-9])"));
        QString filled;
        qsizetype from = 0;
        for (auto marks = mark.globalMatch(out); marks.hasNext();) {
            const auto at = marks.next();
            const int number = at.captured(1).toInt() - 1;
            filled += out.mid(from, at.capturedStart() - from);
            filled += number < places.size() ? places[number] : at.captured();
            from = at.capturedEnd();
        }
        return filled + out.mid(from);
    }
    return std::nullopt;
}

}  // namespace

std::optional<DiskTrouble> diskTrouble(const QString& technical) {
    const qsizetype end = technical.indexOf(QStringLiteral(": "));
    if (!technical.startsWith(u'/') || end < 0) return std::nullopt;
    for (const Sentence& words : kDisks) {
        if (!technical.endsWith(QStringLiteral(": ") + QString::fromUtf8(words.technical))) continue;
        DiskTrouble out{inLanguage(words.plain), technical.left(end)};
        out.what[0] = out.what[0].toUpper();
        return out;
    }
    return std::nullopt;
}

// "NAME: SENTENCE" and "CONTEXT: NAME: SENTENCE" are as common as the sentence alone.
QString plainWords(const QString& technical) {
    if (auto all = whole(technical)) return aboutDisks(*std::move(all));
    const QString between = QStringLiteral(": ");
    for (qsizetype at = technical.indexOf(between); at >= 0; at = technical.indexOf(between, at + 1)) {
        const qsizetype behind = at + between.size();
        if (auto rest = whole(technical.mid(behind))) return aboutDisks(technical.left(behind) + *rest);
    }
    return aboutDisks(technical);
}

}  // namespace pal::desktop
