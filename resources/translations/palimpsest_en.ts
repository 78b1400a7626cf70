<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Preview</name>
    <message numerus="yes">
        <source>%1: %n frame(s), %2 tokens</source>
        <translation>
            <numerusform>%1: %n frame, %2 tokens</numerusform>
            <numerusform>%1: %n frames, %2 tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDelegate</name>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDialog</name>
    <message numerus="yes">
        <source>%1 × %2 pixels, %n token(s)</source>
        <translation>
            <numerusform>%1 × %2 pixels, %n token</numerusform>
            <numerusform>%1 × %2 pixels, %n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentModel</name>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n page</numerusform>
            <numerusform>%n pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::FolderDialog</name>
    <message numerus="yes">
        <source>Only the first %n file(s) are offered.</source>
        <translation>
            <numerusform>Only the first %n file are offered.</numerusform>
            <numerusform>Only the first %n files are offered.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Attach %n file(s)</source>
        <translation>
            <numerusform>&amp;Attach %n file</numerusform>
            <numerusform>&amp;Attach %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::MainWindow</name>
    <message numerus="yes">
        <source>%Ln sessions imported</source>
        <translation>
            <numerusform>%Ln session imported</numerusform>
            <numerusform>%Ln sessions imported</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::ModelDialog</name>
    <message numerus="yes">
        <source>%1, %2 billion parameters, %3 in %n files</source>
        <translation>
            <numerusform>%1, %2 billion parameters, %3 in %n file</numerusform>
            <numerusform>%1, %2 billion parameters, %3 in %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::RefusalBar</name>
    <message numerus="yes">
        <source>Only %n frame(s) of %1: %2 tokens less</source>
        <translation>
            <numerusform>Only %n frame of %1: %2 tokens less</numerusform>
            <numerusform>Only %n frames of %1: %2 tokens less</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionLines</name>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionTree</name>
    <message numerus="yes">
        <source>Folder %1, %Ln sessions</source>
        <translation>
            <numerusform>Folder %1, %Ln session</numerusform>
            <numerusform>Folder %1, %Ln sessions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptModel</name>
    <message numerus="yes">
        <source>%n token(s) written</source>
        <translation>
            <numerusform>%n token written</numerusform>
            <numerusform>%n tokens written</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::TurnStrip</name>
    <message numerus="yes">
        <source>%Ln tokens written</source>
        <translation>
            <numerusform>%Ln token written</numerusform>
            <numerusform>%Ln tokens written</numerusform>
        </translation>
    </message>
</context>
</TS>
