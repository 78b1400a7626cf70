<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>Preview</name>
    <message>
        <source>Page %1 as a picture, %2 tokens</source>
        <translation>Seite %1 als Bild, %2 Tokens</translation>
    </message>
    <message>
        <source>Picture, %1 tokens</source>
        <translation>Bild, %1 Tokens</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n frame(s), %2 tokens</source>
        <translation>
            <numerusform>%1: %n Bild, %2 Tokens</numerusform>
            <numerusform>%1: %n Bilder, %2 Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation>Seite %1</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>A document</source>
        <translation>Ein Dokument</translation>
    </message>
    <message>
        <source>A picture</source>
        <translation>Ein Bild</translation>
    </message>
    <message>
        <source>A clip</source>
        <translation>Ein Clip</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Show what the model was given of %1</source>
        <translation>Zeigen, was das Modell von %1 bekommen hat</translation>
    </message>
    <message>
        <source>Hide: %1</source>
        <translation>Verbergen: %1</translation>
    </message>
    <message>
        <source>Show: %1</source>
        <translation>Zeigen: %1</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Edit as a new version</source>
        <translation>Als neue Fassung bearbeiten</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Continue from here in a new session</source>
        <translation>Von hier in einer neuen Sitzung weiter</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>Vorige Fassung</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Fassung</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach …</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Gedanken</translation>
    </message>
    <message>
        <source>Thought for %1 s</source>
        <translation>%1 s nachgedacht</translation>
    </message>
    <message>
        <source>Calls %1…</source>
        <translation>Ruft %1 auf …</translation>
    </message>
    <message>
        <source>Called %1</source>
        <translation>%1 aufgerufen</translation>
    </message>
    <message>
        <source>writing…</source>
        <translation>schreibt …</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Chat with documents, pictures and clips on a model of this machine</source>
        <translation>Gespräche über Dokumente, Bilder und Clips mit einem Modell dieses Rechners</translation>
    </message>
    <message>
        <source>Folder for sessions and stored states</source>
        <translation>Ordner für Sitzungen und gespeicherte Zustände</translation>
    </message>
    <message>
        <source>Model folder or Hugging Face name</source>
        <translation>Ordner des Modells oder Name bei Hugging Face</translation>
    </message>
    <message>
        <source>Do not hand over to a window that is open</source>
        <translation>Nicht an ein offenes Fenster übergeben</translation>
    </message>
    <message>
        <source>Files to attach</source>
        <translation>Anzuhängende Dateien</translation>
    </message>
</context>
<context>
    <name>pal::desktop::About</name>
    <message>
        <source>About Palimpsest</source>
        <translation>Über Palimpsest</translation>
    </message>
    <message>
        <source>Chat with documents, pictures and clips on a Kimi model that runs on this machine.
Nothing leaves it: this program opens no network connection.</source>
        <translation>Gespräche über Dokumente, Bilder und Clips mit einem Kimi-Modell, das auf diesem Rechner läuft.
Nichts verlässt ihn: Dieses Programm öffnet keine Netzverbindung.</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Third-party notices</source>
        <translation>Hinweise zu Dritten</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDelegate</name>
    <message>
        <source> · %1 tokens</source>
        <translation> · %1 Tokens</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDialog</name>
    <message>
        <source>%1: what the model sees</source>
        <translation>%1: was das Modell sieht</translation>
    </message>
    <message>
        <source>&amp;First page</source>
        <translation>&amp;Erste Seite</translation>
    </message>
    <message>
        <source>&amp;Last page</source>
        <translation>&amp;Letzte Seite</translation>
    </message>
    <message>
        <source>&amp;Show pages without text as pictures</source>
        <translation>&amp;Seiten ohne Text als Bilder zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%1 × %2 pixels, %n token(s)</source>
        <translation>
            <numerusform>%1 × %2 Pixel, %n Token</numerusform>
            <numerusform>%1 × %2 Pixel, %n Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>Picture &amp;size</source>
        <translation>Bild&amp;größe</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>Bilder pro Sekunde</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Anfang</translation>
    </message>
    <message>
        <source>&amp;End</source>
        <translation>&amp;Ende</translation>
    </message>
    <message>
        <source>&amp;Frames per second</source>
        <translation>&amp;Bilder pro Sekunde</translation>
    </message>
    <message>
        <source>Costs %1 tokens</source>
        <translation>Kostet %1 Tokens</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Wird gezählt …</translation>
    </message>
    <message>
        <source>The sound is not used.</source>
        <translation>Der Ton wird nicht verwendet.</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentList</name>
    <message>
        <source>Attachments</source>
        <translation>Anhänge</translation>
    </message>
    <message>
        <source>Enter shows what the model will see, Delete takes the attachment out</source>
        <translation>Eingabe zeigt, was das Modell sehen wird, Entf nimmt den Anhang heraus</translation>
    </message>
    <message>
        <source>&amp;What the model sees…</source>
        <translation>&amp;Was das Modell sieht …</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>&amp;Noch einmal versuchen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentModel</name>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>Reading, %1 %</source>
        <translation>Wird gelesen, %1 %</translation>
    </message>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n Seite</numerusform>
            <numerusform>%n Seiten</numerusform>
        </translation>
    </message>
    <message>
        <source>page %1 of %2</source>
        <translation>Seite %1 von %2</translation>
    </message>
    <message>
        <source>pages %1–%2 of %3</source>
        <translation>Seiten %1–%2 von %3</translation>
    </message>
    <message>
        <source>%1–%2</source>
        <translation>%1–%2</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>Clip</translation>
    </message>
    <message>
        <source>%1 %2: %3</source>
        <translation>%1 %2: %3</translation>
    </message>
    <message>
        <source>, %1 tokens</source>
        <translation>, %1 Tokens</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Chat</name>
    <message>
        <source>%1 (fork)</source>
        <translation>%1 (Abzweig)</translation>
    </message>
</context>
<context>
    <name>pal::desktop::ChatPane</name>
    <message>
        <source>You write a question again. The old one stays beside it.</source>
        <translation>Sie schreiben eine Frage neu. Die alte bleibt daneben.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Open this address?</source>
        <translation>Diese Adresse öffnen?</translation>
    </message>
    <message>
        <source>It is opened by the program that your system has for it.</source>
        <translation>Sie wird mit dem Programm geöffnet, das Ihr System dafür hat.</translation>
    </message>
</context>
<context>
    <name>pal::desktop::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>Befehl eingeben</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>Passende Befehle</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Composer</name>
    <message>
        <source>Attach files (Ctrl+O)</source>
        <translation>Dateien anhängen (Strg+O)</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>State of the message</source>
        <translation>Stand der Nachricht</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>Antwort anhalten (Esc)</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Senden (Eingabe)</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort anhalten</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Something could not be read: take it out, or open it to try again.</source>
        <translation>Etwas konnte nicht gelesen werden: Nehmen Sie es heraus oder öffnen Sie es, um es noch einmal zu versuchen.</translation>
    </message>
    <message>
        <source>Sends when everything has been read. Esc cancels.</source>
        <translation>Wird gesendet, wenn alles gelesen ist. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Sends when the tokens are counted. Esc cancels.</source>
        <translation>Wird gesendet, wenn die Tokens gezählt sind. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Pasted text %1</source>
        <translation>Eingefügter Text %1</translation>
    </message>
    <message>
        <source>Pasted picture %1</source>
        <translation>Eingefügtes Bild %1</translation>
    </message>
    <message>
        <source>Took out %1.</source>
        <translation>%1 wurde herausgenommen.</translation>
    </message>
</context>
<context>
    <name>pal::desktop::ContextMeter</name>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 von %2 Tokens</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Clips</source>
        <translation>Clips</translation>
    </message>
    <message>
        <source>Markup of the format</source>
        <translation>Auszeichnung des Formats</translation>
    </message>
    <message>
        <source>Earlier messages</source>
        <translation>Frühere Nachrichten</translation>
    </message>
    <message>
        <source>%1 too many</source>
        <translation>%1 zu viel</translation>
    </message>
    <message>
        <source>Room for the reply</source>
        <translation>Platz für die Antwort</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Errors</name>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>That is not possible</source>
        <translation>Das geht nicht</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>The system refused</source>
        <translation>Das System hat abgelehnt</translation>
    </message>
    <message>
        <source>The file cannot be read</source>
        <translation>Die Datei kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>This version cannot do that</source>
        <translation>Das kann diese Version nicht</translation>
    </message>
    <message>
        <source>There is not enough memory</source>
        <translation>Es ist nicht genug Speicher da</translation>
    </message>
    <message>
        <source>The device does not answer any more</source>
        <translation>Das Gerät antwortet nicht mehr</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Two things do not fit together</source>
        <translation>Zwei Dinge passen nicht zusammen</translation>
    </message>
    <message>
        <source>Stored data is damaged</source>
        <translation>Gespeicherte Daten sind beschädigt</translation>
    </message>
    <message>
        <source>Something went wrong in the program</source>
        <translation>Im Programm ist etwas schiefgegangen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FindBar</name>
    <message>
        <source>Find in this session</source>
        <translation>In dieser Sitzung suchen</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>Voriges (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>Nächstes (Eingabe)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>wird gesucht …</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FolderDialog</name>
    <message>
        <source>Attach files of %1</source>
        <translation>Dateien aus %1 anhängen</translation>
    </message>
    <message>
        <source>Files of the folder</source>
        <translation>Dateien des Ordners</translation>
    </message>
    <message>
        <source>&amp;Attach</source>
        <translation>&amp;Anhängen</translation>
    </message>
    <message>
        <source>A&amp;ll</source>
        <translation>A&amp;lle</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>&amp;Keine</translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n file(s) are offered.</source>
        <translation>
            <numerusform>Nur die erste Datei wird angeboten.</numerusform>
            <numerusform>Nur die ersten %n Dateien werden angeboten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Attach %n file(s)</source>
        <translation>
            <numerusform>%n Datei &amp;anhängen</numerusform>
            <numerusform>%n Dateien &amp;anhängen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FrameStrip</name>
    <message>
        <source>Part of the clip</source>
        <translation>Teil des Clips</translation>
    </message>
    <message>
        <source>From %1 to %2 of %3</source>
        <translation>Von %1 bis %2 von %3</translation>
    </message>
</context>
<context>
    <name>pal::desktop::HitList</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InputEdit</name>
    <message>
        <source>Ask something, or drop files here</source>
        <translation>Fragen Sie etwas oder legen Sie Dateien hier ab</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>Ihre Nachricht</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter begins a new line</source>
        <translation>Eingabe sendet, Umschalt+Eingabe beginnt eine neue Zeile</translation>
    </message>
</context>
<context>
    <name>pal::desktop::LoadPlanText</name>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Latents of the context</source>
        <translation>Latente des Kontexts</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>%1 needed; how much this device has is known when the model is loaded</source>
        <translation>%1 nötig; wie viel dieses Gerät hat, zeigt sich beim Laden</translation>
    </message>
    <message>
        <source>%1 needed, %2 free: fits</source>
        <translation>%1 nötig, %2 frei: passt</translation>
    </message>
    <message>
        <source>%1 needed, %2 free: weights will be read from the disk again and again, which is slow</source>
        <translation>%1 nötig, %2 frei: Gewichte werden immer wieder von der Platte gelesen, das ist langsam</translation>
    </message>
    <message>
        <source>%1 needed, %2 free: does not fit. A smaller context or half-size latents may.</source>
        <translation>%1 nötig, %2 frei: passt nicht. Ein kleinerer Kontext oder halb so große Latente vielleicht.</translation>
    </message>
</context>
<context>
    <name>pal::desktop::LoadPlanView</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::MainWindow</name>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>The session goes on before that message. Nothing is erased.</source>
        <translation>Die Sitzung geht vor dieser Nachricht weiter. Nichts ist gelöscht.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Import sessions</source>
        <translation>Sitzungen importieren</translation>
    </message>
    <message>
        <source>Sessions of Palimpsest, ChatGPT, Open WebUI (*.palimpsest *.json *.zip);;All files (*)</source>
        <translation>Sitzungen von Palimpsest, ChatGPT, Open WebUI (*.palimpsest *.json *.zip);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Diagnostics are in the clipboard. They hold no message; errors in them may name files.</source>
        <translation>Die Diagnose ist in der Zwischenablage. Sie enthält keine Nachricht; Fehler darin können Dateien nennen.</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>Modell wird geladen …</translation>
    </message>
    <message>
        <source>The model was not loaded: %1</source>
        <translation>Das Modell wurde nicht geladen: %1</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Modell wählen …</translation>
    </message>
    <message>
        <source>%1 on %2, context of %3 tokens</source>
        <translation>%1 auf %2, Kontext von %3 Tokens</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>Modell: %1</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>Neue Sitzung</translation>
    </message>
    <message>
        <source>%1 – Palimpsest</source>
        <translation>%1 – Palimpsest</translation>
    </message>
    <message>
        <source>The program ended while this answer was written. What it had said until then was saved.</source>
        <translation>Das Programm endete, während diese Antwort geschrieben wurde. Was bis dahin gesagt war, ist gesichert.</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Rename session</source>
        <translation>Sitzung umbenennen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>In Ordner verschieben</translation>
    </message>
    <message>
        <source>Folder, an existing or a new one; empty for none</source>
        <translation>Ordner, ein vorhandener oder ein neuer; leer für keinen</translation>
    </message>
    <message>
        <source>An answer is being written in this session. Stop it before you delete the session.</source>
        <translation>In dieser Sitzung wird gerade geantwortet. Halten Sie die Antwort an, bevor Sie die Sitzung löschen.</translation>
    </message>
    <message>
        <source>“%1” is deleted for good when the program ends.</source>
        <translation>„%1“ wird endgültig gelöscht, wenn das Programm endet.</translation>
    </message>
    <message>
        <source>Export session</source>
        <translation>Sitzung exportieren</translation>
    </message>
    <message>
        <source>Archive with attachments (*.palimpsest);;JSON (*.json);;Markdown to read (*.md)</source>
        <translation>Archiv mit Anhängen (*.palimpsest);;JSON (*.json);;Markdown zum Lesen (*.md)</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>Exportiert nach %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions imported</source>
        <translation>
            <numerusform>%Ln Sitzung importiert</numerusform>
            <numerusform>%Ln Sitzungen importiert</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::ModelDialog</name>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Model and runtime</source>
        <translation>Modell und Laufzeit</translation>
    </message>
    <message>
        <source>Embedded model (a small demonstration)</source>
        <translation>Eingebautes Modell (eine kleine Vorführung)</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA-GPU</translation>
    </message>
    <message>
        <source>one per core (%1)</source>
        <translation>einer pro Kern (%1)</translation>
    </message>
    <message>
        <source>all that the model allows</source>
        <translation>so viel das Modell erlaubt</translation>
    </message>
    <message>
        <source>float32, as the model was checked</source>
        <translation>float32, wie das Modell geprüft wurde</translation>
    </message>
    <message>
        <source>bfloat16, half the size</source>
        <translation>bfloat16, halb so groß</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>&amp;Runs on</source>
        <translation>&amp;Läuft auf</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>&amp;Threads</translation>
    </message>
    <message>
        <source>&amp;Context, tokens</source>
        <translation>&amp;Kontext, Tokens</translation>
    </message>
    <message>
        <source>&amp;Latents</source>
        <translation>La&amp;tente</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>&amp;Disk for stored states, from the next start</source>
        <translation>&amp;Platte für Zustände, ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Sessions and attachments: %1</source>
        <translation>Sitzungen und Anhänge: %1</translation>
    </message>
    <message>
        <source>Stored states: %1, %2 of %3</source>
        <translation>Gespeicherte Zustände: %1, %2 von %3</translation>
    </message>
    <message>
        <source>Folder of a model</source>
        <translation>Ordner eines Modells</translation>
    </message>
    <message>
        <source>Reading the model&apos;s files…</source>
        <translation>Dateien des Modells werden gelesen …</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 billion parameters, %3 in %n files</source>
        <translation>
            <numerusform>%1, %2 Milliarden Parameter, %3 in %n Datei</numerusform>
            <numerusform>%1, %2 Milliarden Parameter, %3 in %n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 tokens of context, a state of %3</source>
        <translation>%1 von %2 Tokens Kontext, ein Zustand von %3</translation>
    </message>
    <message>
        <source>Memory of this machine, %1</source>
        <translation>Speicher dieses Rechners, %1</translation>
    </message>
    <message>
        <source>Memory of the GPU</source>
        <translation>Speicher der GPU</translation>
    </message>
</context>
<context>
    <name>pal::desktop::NoticeBar</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
</context>
<context>
    <name>pal::desktop::PreviewPane</name>
    <message>
        <source>Parts that the model is given</source>
        <translation>Teile, die das Modell bekommt</translation>
    </message>
    <message>
        <source>Text as the model is given it</source>
        <translation>Text, wie ihn das Modell bekommt</translation>
    </message>
    <message>
        <source>Picture as the model is given it</source>
        <translation>Bild, wie es das Modell bekommt</translation>
    </message>
    <message>
        <source>Decoding…</source>
        <translation>Wird dekodiert …</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::RefusalBar</name>
    <message>
        <source>Only page %1 of %2: %3 tokens less</source>
        <translation>Nur Seite %1 von %2: %3 Tokens weniger</translation>
    </message>
    <message>
        <source>Only pages %1–%2 of %3: %4 tokens less</source>
        <translation>Nur Seiten %1–%2 von %3: %4 Tokens weniger</translation>
    </message>
    <message numerus="yes">
        <source>Only %n frame(s) of %1: %2 tokens less</source>
        <translation>
            <numerusform>Nur %n Bild von %1: %2 Tokens weniger</numerusform>
            <numerusform>Nur %n Bilder von %1: %2 Tokens weniger</numerusform>
        </translation>
    </message>
    <message>
        <source>A smaller %1: %2 tokens less</source>
        <translation>%1 kleiner: %2 Tokens weniger</translation>
    </message>
    <message>
        <source>Without %1: %2 tokens less</source>
        <translation>Ohne %1: %2 Tokens weniger</translation>
    </message>
    <message>
        <source>Too long</source>
        <translation>Zu lang</translation>
    </message>
    <message>
        <source>%1 tokens too many: this would take %2, the context holds %3 with the answer.</source>
        <translation>%1 Tokens zu viel: Das wären %2, der Kontext fasst mit der Antwort %3.</translation>
    </message>
    <message>
        <source>Shorten the text, take attachments out, or choose a larger context.</source>
        <translation>Kürzen Sie den Text, nehmen Sie Anhänge heraus oder wählen Sie einen größeren Kontext.</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionLines</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Tokens</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · opens at once</source>
        <translation>%1 · öffnet sofort</translation>
    </message>
    <message>
        <source>%1 · opens in %2</source>
        <translation>%1 · öffnet in %2</translation>
    </message>
    <message>
        <source>%1 · stored</source>
        <translation>%1 · gespeichert</translation>
    </message>
    <message>
        <source>%1 · to be read again, %2</source>
        <translation>%1 · neu zu lesen, %2</translation>
    </message>
    <message>
        <source>%1 · to be read again</source>
        <translation>%1 · neu zu lesen</translation>
    </message>
    <message>
        <source>%1 messages, %2 tokens</source>
        <translation>%1 Nachrichten, %2 Tokens</translation>
    </message>
    <message>
        <source>%1 of stored state, %2 tokens to read</source>
        <translation>%1 gespeicherter Zustand, %2 Tokens zu lesen</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>Modell: %1</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionPanel</name>
    <message>
        <source>Search all sessions</source>
        <translation>Alle Sitzungen durchsuchen</translation>
    </message>
    <message>
        <source>New session (Ctrl+N)</source>
        <translation>Neue Sitzung (Strg+N)</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>Neue Sitzung</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>Found sessions and messages</source>
        <translation>Gefundene Sitzungen und Nachrichten</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionTree</name>
    <message numerus="yes">
        <source>Folder %1, %Ln sessions</source>
        <translation>
            <numerusform>Ordner %1, %Ln Sitzung</numerusform>
            <numerusform>Ordner %1, %Ln Sitzungen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SettingsDialog</name>
    <message>
        <source>Think before answering</source>
        <translation>Vor dem Antworten nachdenken</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>up to the context</source>
        <translation>bis zum Kontext</translation>
    </message>
    <message>
        <source>New sessions ask like this, too</source>
        <translation>Auch neue Sitzungen fragen so</translation>
    </message>
    <message>
        <source>How this session asks</source>
        <translation>Wie diese Sitzung fragt</translation>
    </message>
    <message>
        <source>What the model is told before the first question</source>
        <translation>Was dem Modell vor der ersten Frage gesagt wird</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>nicht gesagt</translation>
    </message>
    <message>
        <source>low</source>
        <translation>gering</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>as much as possible</source>
        <translation>so viel wie möglich</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Sichern als …</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>&amp;Preset</source>
        <translation>&amp;Vorlage</translation>
    </message>
    <message>
        <source>S&amp;ystem prompt</source>
        <translation>S&amp;ystemprompt</translation>
    </message>
    <message>
        <source>&amp;Effort</source>
        <translation>&amp;Aufwand</translation>
    </message>
    <message>
        <source>&amp;Temperature</source>
        <translation>&amp;Temperatur</translation>
    </message>
    <message>
        <source>Top &amp;p</source>
        <translation>Top &amp;p</translation>
    </message>
    <message>
        <source>Top &amp;k</source>
        <translation>Top &amp;k</translation>
    </message>
    <message>
        <source>&amp;Min p</source>
        <translation>&amp;Min p</translation>
    </message>
    <message>
        <source>&amp;Repetition penalty</source>
        <translation>Strafe für &amp;Wiederholung</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>&amp;Startwert</translation>
    </message>
    <message>
        <source>&amp;Longest answer, tokens</source>
        <translation>&amp;Längste Antwort, Tokens</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>– as below –</source>
        <translation>– wie unten –</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>Vorlage sichern</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Import preset</source>
        <translation>Vorlage importieren</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>Vorlagen (*.json)</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SourceDialog</name>
    <message>
        <source>%1: what the model was given</source>
        <translation>%1: was das Modell bekommen hat</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptFeed</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Cut off: the program ended while this was written</source>
        <translation>Abgeschnitten: Das Programm endete, während dies geschrieben wurde</translation>
    </message>
    <message>
        <source>Ended at the limit of tokens</source>
        <translation>An der Grenze der Tokens beendet</translation>
    </message>
    <message>
        <source>This message is damaged and cannot be read</source>
        <translation>Diese Nachricht ist beschädigt und kann nicht gelesen werden</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptModel</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>first token %1 s</source>
        <translation>erstes Token %1 s</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Tokens/s</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) written</source>
        <translation>
            <numerusform>%n Token geschrieben</numerusform>
            <numerusform>%n Tokens geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens reused, %2 computed</source>
        <translation>%1 Tokens wiederverwendet, %2 berechnet</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptView</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>version %1 of %2</source>
        <translation>Fassung %1 von %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TurnLine</name>
    <message>
        <source>Reading %1 of %2 tokens</source>
        <translation>Liest %1 von %2 Tokens</translation>
    </message>
    <message>
        <source>%1 from stored states</source>
        <translation>%1 aus gespeicherten Zuständen</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Tokens/s</translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation>noch %1 s</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>noch %1 min</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
</context>
<context>
    <name>pal::desktop::TurnStrip</name>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stop (Esc); what is finished is kept</source>
        <translation>Anhalten (Esc); was fertig ist, bleibt</translation>
    </message>
    <message>
        <source>How much of the prompt is read</source>
        <translation>Wie viel vom Prompt gelesen ist</translation>
    </message>
    <message>
        <source>In another session: %1</source>
        <translation>In einer anderen Sitzung: %1</translation>
    </message>
    <message>
        <source>Opening the stored state…</source>
        <translation>Gespeicherter Zustand wird geöffnet …</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Liest …</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tokens written</source>
        <translation>
            <numerusform>%Ln Token geschrieben</numerusform>
            <numerusform>%Ln Tokens geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2 tokens/s</source>
        <translation>%1 · %2 Tokens/s</translation>
    </message>
</context>
<context>
    <name>pal::desktop::WelcomePane</name>
    <message>
        <source>Ask about documents, pictures and clips</source>
        <translation>Fragen zu Dokumenten, Bildern und Clips</translation>
    </message>
    <message>
        <source>Drop files here, paste them, or attach them with Ctrl+O.
What is read is kept, so that you can go on tomorrow.</source>
        <translation>Dateien hierher ziehen, einfügen oder mit Strg+O anhängen.
Was gelesen ist, bleibt, sodass es morgen weitergehen kann.</translation>
    </message>
    <message>
        <source>Try all three, in about a minute</source>
        <translation>Alle drei ausprobieren, in etwa einer Minute</translation>
    </message>
    <message>
        <source>The embedded model is a small demonstration and often wrong. It reads English and knows only what you give it.</source>
        <translation>Das eingebaute Modell ist eine kleine Demonstration und irrt sich oft. Es liest Englisch und weiß nur, was man ihm gibt.</translation>
    </message>
</context>
<context>
    <name>pal::desktop::WindowActions</name>
    <message>
        <source>&amp;Session</source>
        <translation>&amp;Sitzung</translation>
    </message>
    <message>
        <source>&amp;New session</source>
        <translation>&amp;Neue Sitzung</translation>
    </message>
    <message>
        <source>&amp;Attach files…</source>
        <translation>&amp;Dateien anhängen …</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Umbenennen …</translation>
    </message>
    <message>
        <source>Move to &amp;folder…</source>
        <translation>In &amp;Ordner verschieben …</translation>
    </message>
    <message>
        <source>&amp;How it asks…</source>
        <translation>&amp;Wie sie fragt …</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren …</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren …</translation>
    </message>
    <message>
        <source>&amp;Delete session</source>
        <translation>Sitzung &amp;löschen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Message</source>
        <translation>&amp;Nachricht</translation>
    </message>
    <message>
        <source>&amp;Edit the last question</source>
        <translation>Letzte Frage &amp;bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Answer again</source>
        <translation>&amp;Noch einmal antworten</translation>
    </message>
    <message>
        <source>&amp;Fork here</source>
        <translation>Hier &amp;abzweigen</translation>
    </message>
    <message>
        <source>&amp;Previous version</source>
        <translation>&amp;Vorige Fassung</translation>
    </message>
    <message>
        <source>&amp;Next version</source>
        <translation>N&amp;ächste Fassung</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>An&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Search all sessions</source>
        <translation>Alle Sitzungen &amp;durchsuchen</translation>
    </message>
    <message>
        <source>&amp;Find in this session</source>
        <translation>In dieser Sitzung &amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>&amp;Befehle …</translation>
    </message>
    <message>
        <source>S&amp;essions at the side</source>
        <translation>Sitzungen an der S&amp;eite</translation>
    </message>
    <message>
        <source>Next &amp;part of the window</source>
        <translation>Nächster &amp;Teil des Fensters</translation>
    </message>
    <message>
        <source>&amp;Larger</source>
        <translation>&amp;Größer</translation>
    </message>
    <message>
        <source>&amp;Smaller</source>
        <translation>&amp;Kleiner</translation>
    </message>
    <message>
        <source>&amp;Usual size</source>
        <translation>&amp;Übliche Größe</translation>
    </message>
    <message>
        <source>Light or dark as the &amp;system</source>
        <translation>Hell oder dunkel wie das S&amp;ystem</translation>
    </message>
    <message>
        <source>L&amp;ight</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>Dunke&amp;l</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>M&amp;odel</source>
        <translation>M&amp;odell</translation>
    </message>
    <message>
        <source>&amp;Model and runtime…</source>
        <translation>&amp;Modell und Laufzeit …</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Copy &amp;diagnostics</source>
        <translation>&amp;Diagnose kopieren</translation>
    </message>
    <message>
        <source>&amp;About Palimpsest</source>
        <translation>&amp;Über Palimpsest</translation>
    </message>
</context>
</TS>
