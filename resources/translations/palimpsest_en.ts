<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Preview</name>
    <message numerus="yes">
        <source>%1: %Ln frame(s), %2 tokens</source>
        <translation>
            <numerusform>%1: %Ln frame, %2 tokens</numerusform>
            <numerusform>%1: %Ln frames, %2 tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDelegate</name>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln warning</numerusform>
            <numerusform>%Ln warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDialog</name>
    <message numerus="yes">
        <source>%1 × %2 pixels, %Ln token(s)</source>
        <translation>
            <numerusform>%1 × %2 pixels, %Ln token</numerusform>
            <numerusform>%1 × %2 pixels, %Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentModel</name>
    <message numerus="yes">
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln page</numerusform>
            <numerusform>%Ln pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::FolderDialog</name>
    <message numerus="yes">
        <source>Only the first %Ln file(s) are offered.</source>
        <translation>
            <numerusform>Only the first %Ln file are offered.</numerusform>
            <numerusform>Only the first %Ln files are offered.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Attach %Ln file(s)</source>
        <translation>
            <numerusform>&amp;Attach %Ln file</numerusform>
            <numerusform>&amp;Attach %Ln files</numerusform>
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
        <source>%1, %2 billion parameters, %3 in %Ln files</source>
        <translation>
            <numerusform>%1, %2 billion parameters, %3 in %Ln file</numerusform>
            <numerusform>%1, %2 billion parameters, %3 in %Ln files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::RefusalBar</name>
    <message numerus="yes">
        <source>Only %Ln frame(s) of %1: %2 tokens less</source>
        <translation>
            <numerusform>Only %Ln frame of %1: %2 tokens less</numerusform>
            <numerusform>Only %Ln frames of %1: %2 tokens less</numerusform>
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
        <source>%Ln token(s) written</source>
        <translation>
            <numerusform>%Ln token written</numerusform>
            <numerusform>%Ln tokens written</numerusform>
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
