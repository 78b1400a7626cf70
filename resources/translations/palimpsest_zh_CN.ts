<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Preview</name>
    <message>
        <source>Page %1 as a picture, %2 tokens</source>
        <translation>第 %1 页作为图片，%2 个词元</translation>
    </message>
    <message>
        <source>Picture, %1 tokens</source>
        <translation>图片，%1 个词元</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n frame(s), %2 tokens</source>
        <translation>
            <numerusform>%1：%n 帧，%2 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation>第 %1 页</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <source>A document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>A picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>A clip</source>
        <translation>视频</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Show what the model was given of %1</source>
        <translation>显示提供给模型的 %1</translation>
    </message>
    <message>
        <source>Hide: %1</source>
        <translation>隐藏：%1</translation>
    </message>
    <message>
        <source>Show: %1</source>
        <translation>显示：%1</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <source>Edit as a new version</source>
        <translation>编辑为新版本</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Continue from here in a new session</source>
        <translation>从此处在新会话中继续</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>上一版本</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>下一版本</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>思考中…</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Thought for %1 s</source>
        <translation>思考了 %1 秒</translation>
    </message>
    <message>
        <source>Calls %1…</source>
        <translation>正在调用 %1…</translation>
    </message>
    <message>
        <source>Called %1</source>
        <translation>已调用 %1</translation>
    </message>
    <message>
        <source>writing…</source>
        <translation>正在书写…</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Chat with documents, pictures and clips on a model of this machine</source>
        <translation>在本机模型上与文档、图片和视频对话</translation>
    </message>
    <message>
        <source>Folder for sessions and stored states</source>
        <translation>会话与已存状态的文件夹</translation>
    </message>
    <message>
        <source>Model folder or Hugging Face name</source>
        <translation>模型文件夹或 Hugging Face 名称</translation>
    </message>
    <message>
        <source>Do not hand over to a window that is open</source>
        <translation>不转交给已打开的窗口</translation>
    </message>
    <message>
        <source>Files to attach</source>
        <translation>要附加的文件</translation>
    </message>
</context>
<context>
    <name>pal::desktop::About</name>
    <message>
        <source>About Palimpsest</source>
        <translation>关于 Palimpsest</translation>
    </message>
    <message>
        <source>Chat with documents, pictures and clips on a Kimi model that runs on this machine.
Nothing leaves it: this program opens no network connection.</source>
        <translation>在本机运行的 Kimi 模型上，与文档、图片和视频对话。
一切都留在本机：本程序不打开任何网络连接。</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Third-party notices</source>
        <translation>第三方声明</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDelegate</name>
    <message>
        <source> · %1 tokens</source>
        <translation> · %1 个词元</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 条警告</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDialog</name>
    <message>
        <source>%1: what the model sees</source>
        <translation>%1：模型看到的内容</translation>
    </message>
    <message>
        <source>&amp;First page</source>
        <translation>首页(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Last page</source>
        <translation>末页(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Show pages without text as pictures</source>
        <translation>将无文字的页面显示为图片(&amp;S)</translation>
    </message>
    <message numerus="yes">
        <source>%1 × %2 pixels, %n token(s)</source>
        <translation>
            <numerusform>%1 × %2 像素，%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>Picture &amp;size</source>
        <translation>图片大小(&amp;Z)</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>每秒帧数</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;End</source>
        <translation>结束(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Frames per second</source>
        <translation>每秒帧数(&amp;F)</translation>
    </message>
    <message>
        <source>Costs %1 tokens</source>
        <translation>需要 %1 个词元</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>正在计数…</translation>
    </message>
    <message>
        <source>The sound is not used.</source>
        <translation>不使用声音。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentList</name>
    <message>
        <source>Attachments</source>
        <translation>附件</translation>
    </message>
    <message>
        <source>Enter shows what the model will see, Delete takes the attachment out</source>
        <translation>按回车查看模型将看到的内容，按删除键移除附件</translation>
    </message>
    <message>
        <source>&amp;What the model sees…</source>
        <translation>模型看到的内容(&amp;W)…</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentModel</name>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>Reading, %1 %</source>
        <translation>正在读取，%1%</translation>
    </message>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n 页</numerusform>
        </translation>
    </message>
    <message>
        <source>page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>pages %1–%2 of %3</source>
        <translation>第 %1–%2 页，共 %3 页</translation>
    </message>
    <message>
        <source>%1–%2</source>
        <translation>%1–%2</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>%1 %2: %3</source>
        <translation>%1 %2：%3</translation>
    </message>
    <message>
        <source>, %1 tokens</source>
        <translation>，%1 个词元</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Chat</name>
    <message>
        <source>%1 (fork)</source>
        <translation>%1（分支）</translation>
    </message>
</context>
<context>
    <name>pal::desktop::ChatPane</name>
    <message>
        <source>You write a question again. The old one stays beside it.</source>
        <translation>您正在重写一个问题，旧的会保留。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Open this address?</source>
        <translation>打开此地址？</translation>
    </message>
    <message>
        <source>It is opened by the program that your system has for it.</source>
        <translation>将用系统默认的程序打开。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>匹配的命令</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Composer</name>
    <message>
        <source>Attach files (Ctrl+O)</source>
        <translation>添加附件 (Ctrl+O)</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <source>State of the message</source>
        <translation>消息状态</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Stop the answer (Esc)</source>
        <translation>停止回答 (Esc)</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>发送 (回车)</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Something could not be read: take it out, or open it to try again.</source>
        <translation>有内容无法读取：请移除，或打开后重试。</translation>
    </message>
    <message>
        <source>Sends when everything has been read. Esc cancels.</source>
        <translation>全部读取后发送。按 Esc 取消。</translation>
    </message>
    <message>
        <source>Sends when the tokens are counted. Esc cancels.</source>
        <translation>词元计数后发送。按 Esc 取消。</translation>
    </message>
    <message>
        <source>Pasted text %1</source>
        <translation>粘贴的文字 %1</translation>
    </message>
    <message>
        <source>Pasted picture %1</source>
        <translation>粘贴的图片 %1</translation>
    </message>
    <message>
        <source>Took out %1.</source>
        <translation>已移除 %1。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::ContextMeter</name>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个词元</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Clips</source>
        <translation>视频</translation>
    </message>
    <message>
        <source>Markup of the format</source>
        <translation>格式标记</translation>
    </message>
    <message>
        <source>Earlier messages</source>
        <translation>之前的消息</translation>
    </message>
    <message>
        <source>%1 too many</source>
        <translation>超出 %1</translation>
    </message>
    <message>
        <source>Room for the reply</source>
        <translation>为回答预留</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Errors</name>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>That is not possible</source>
        <translation>无法这样做</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>The system refused</source>
        <translation>系统拒绝</translation>
    </message>
    <message>
        <source>The file cannot be read</source>
        <translation>无法读取文件</translation>
    </message>
    <message>
        <source>This version cannot do that</source>
        <translation>此版本不支持</translation>
    </message>
    <message>
        <source>There is not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>The device does not answer any more</source>
        <translation>设备不再响应</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>现在不行</translation>
    </message>
    <message>
        <source>Two things do not fit together</source>
        <translation>两者不匹配</translation>
    </message>
    <message>
        <source>Stored data is damaged</source>
        <translation>存储的数据已损坏</translation>
    </message>
    <message>
        <source>Something went wrong in the program</source>
        <translation>程序出错</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FindBar</name>
    <message>
        <source>Find in this session</source>
        <translation>在此会话中查找</translation>
    </message>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>上一个 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>下一个 (Enter)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FolderDialog</name>
    <message>
        <source>Attach files of %1</source>
        <translation>添加 %1 中的文件</translation>
    </message>
    <message>
        <source>Files of the folder</source>
        <translation>文件夹中的文件</translation>
    </message>
    <message>
        <source>&amp;Attach</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>A&amp;ll</source>
        <translation>全部(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>无(&amp;N)</translation>
    </message>
    <message numerus="yes">
        <source>Only the first %n file(s) are offered.</source>
        <translation>
            <numerusform>仅列出前 %n 个文件。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Attach %n file(s)</source>
        <translation>
            <numerusform>添加 %n 个文件(&amp;A)</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FrameStrip</name>
    <message>
        <source>Part of the clip</source>
        <translation>视频片段</translation>
    </message>
    <message>
        <source>From %1 to %2 of %3</source>
        <translation>从 %1 到 %2，共 %3</translation>
    </message>
</context>
<context>
    <name>pal::desktop::HitList</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InputEdit</name>
    <message>
        <source>Ask something, or drop files here</source>
        <translation>提问，或将文件拖放到此处</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>您的消息</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter begins a new line</source>
        <translation>回车发送，Shift+回车换行</translation>
    </message>
</context>
<context>
    <name>pal::desktop::LoadPlanText</name>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Latents of the context</source>
        <translation>上下文潜变量</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>%1 needed; how much this device has is known when the model is loaded</source>
        <translation>需要 %1；该设备的容量在加载模型时可知</translation>
    </message>
    <message>
        <source>%1 needed, %2 free: fits</source>
        <translation>需要 %1，可用 %2：足够</translation>
    </message>
    <message>
        <source>%1 needed, %2 free: weights will be read from the disk again and again, which is slow</source>
        <translation>需要 %1，可用 %2：权重将反复从磁盘读取，速度较慢</translation>
    </message>
    <message>
        <source>%1 needed, %2 free: does not fit. A smaller context or half-size latents may.</source>
        <translation>需要 %1，可用 %2：不足。可尝试更小的上下文或半精度潜变量。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::LoadPlanView</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
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
        <translation>无模型</translation>
    </message>
    <message>
        <source>The session goes on before that message. Nothing is erased.</source>
        <translation>会话从该消息之前继续。没有删除任何内容。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Import sessions</source>
        <translation>导入会话</translation>
    </message>
    <message>
        <source>Sessions of Palimpsest, ChatGPT, Open WebUI (*.palimpsest *.json *.zip);;All files (*)</source>
        <translation>Palimpsest、ChatGPT、Open WebUI 的会话 (*.palimpsest *.json *.zip);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Diagnostics are in the clipboard. They hold no message; errors in them may name files.</source>
        <translation>诊断信息已复制到剪贴板，不含您的消息；其中的错误可能提到文件名。</translation>
    </message>
    <message>
        <source>Loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>The model was not loaded: %1</source>
        <translation>模型未加载：%1</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <source>%1 on %2, context of %3 tokens</source>
        <translation>%1，运行于 %2，上下文 %3 个词元</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>新会话</translation>
    </message>
    <message>
        <source>%1 – Palimpsest</source>
        <translation>%1 – Palimpsest</translation>
    </message>
    <message>
        <source>The program ended while this answer was written. What it had said until then was saved.</source>
        <translation>写这个回答时程序意外结束。此前的内容已保存。</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <source>Rename session</source>
        <translation>重命名会话</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>移到文件夹</translation>
    </message>
    <message>
        <source>Folder, an existing or a new one; empty for none</source>
        <translation>文件夹，已有或新建；留空表示无</translation>
    </message>
    <message>
        <source>An answer is being written in this session. Stop it before you delete the session.</source>
        <translation>此会话正在生成回答。删除前请先停止。</translation>
    </message>
    <message>
        <source>“%1” is deleted for good when the program ends.</source>
        <translation>“%1”将在程序退出时彻底删除。</translation>
    </message>
    <message>
        <source>Export session</source>
        <translation>导出会话</translation>
    </message>
    <message>
        <source>Archive with attachments (*.palimpsest);;JSON (*.json);;Markdown to read (*.md)</source>
        <translation>含附件的存档 (*.palimpsest);;JSON (*.json);;可读的 Markdown (*.md)</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>已导出到 %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sessions imported</source>
        <translation>
            <numerusform>已导入 %Ln 个会话</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::ModelDialog</name>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Model and runtime</source>
        <translation>模型与运行</translation>
    </message>
    <message>
        <source>Embedded model (a small demonstration)</source>
        <translation>内置模型（小型演示）</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA GPU</translation>
    </message>
    <message>
        <source>one per core (%1)</source>
        <translation>每核一个（%1）</translation>
    </message>
    <message>
        <source>all that the model allows</source>
        <translation>模型允许的最大值</translation>
    </message>
    <message>
        <source>float32, as the model was checked</source>
        <translation>float32，与模型验证时一致</translation>
    </message>
    <message>
        <source>bfloat16, half the size</source>
        <translation>bfloat16，占用减半</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>&amp;Runs on</source>
        <translation>运行于(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>线程(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Context, tokens</source>
        <translation>上下文，词元(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Latents</source>
        <translation>潜变量(&amp;L)</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>&amp;Disk for stored states, from the next start</source>
        <translation>状态所占磁盘，下次启动生效(&amp;D)</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Sessions and attachments: %1</source>
        <translation>会话与附件：%1</translation>
    </message>
    <message>
        <source>Stored states: %1, %2 of %3</source>
        <translation>已存状态：%1，%2 / %3</translation>
    </message>
    <message>
        <source>Folder of a model</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Reading the model&apos;s files…</source>
        <translation>正在读取模型文件…</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 billion parameters, %3 in %n files</source>
        <translation>
            <numerusform>%1，%2 ×10⁹ 参数，%3，共 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 tokens of context, a state of %3</source>
        <translation>上下文 %1 / %2 个词元，状态 %3</translation>
    </message>
    <message>
        <source>Memory of this machine, %1</source>
        <translation>本机内存，%1</translation>
    </message>
    <message>
        <source>Memory of the GPU</source>
        <translation>GPU 显存</translation>
    </message>
</context>
<context>
    <name>pal::desktop::NoticeBar</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation>关闭此通知</translation>
    </message>
</context>
<context>
    <name>pal::desktop::PreviewPane</name>
    <message>
        <source>Parts that the model is given</source>
        <translation>提供给模型的部分</translation>
    </message>
    <message>
        <source>Text as the model is given it</source>
        <translation>提供给模型的文字</translation>
    </message>
    <message>
        <source>Picture as the model is given it</source>
        <translation>提供给模型的图片</translation>
    </message>
    <message>
        <source>Decoding…</source>
        <translation>正在解码…</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::RefusalBar</name>
    <message>
        <source>Only page %1 of %2: %3 tokens less</source>
        <translation>只用 %2 的第 %1 页：少 %3 个词元</translation>
    </message>
    <message>
        <source>Only pages %1–%2 of %3: %4 tokens less</source>
        <translation>只用 %3 的第 %1–%2 页：少 %4 个词元</translation>
    </message>
    <message numerus="yes">
        <source>Only %n frame(s) of %1: %2 tokens less</source>
        <translation>
            <numerusform>只用 %1 的 %n 帧：少 %2 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>A smaller %1: %2 tokens less</source>
        <translation>缩小 %1：少 %2 个词元</translation>
    </message>
    <message>
        <source>Without %1: %2 tokens less</source>
        <translation>去掉 %1：少 %2 个词元</translation>
    </message>
    <message>
        <source>Too long</source>
        <translation>过长</translation>
    </message>
    <message>
        <source>%1 tokens too many: this would take %2, the context holds %3 with the answer.</source>
        <translation>超出 %1 个词元：需要 %2 个，上下文连同回答可容纳 %3 个。</translation>
    </message>
    <message>
        <source>Shorten the text, take attachments out, or choose a larger context.</source>
        <translation>请缩短文字、移除附件或选择更大的上下文。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionLines</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · opens at once</source>
        <translation>%1 · 立即打开</translation>
    </message>
    <message>
        <source>%1 · opens in %2</source>
        <translation>%1 · %2后打开</translation>
    </message>
    <message>
        <source>%1 · stored</source>
        <translation>%1 · 已保存</translation>
    </message>
    <message>
        <source>%1 · to be read again, %2</source>
        <translation>%1 · 需重新读取，%2</translation>
    </message>
    <message>
        <source>%1 · to be read again</source>
        <translation>%1 · 需重新读取</translation>
    </message>
    <message>
        <source>%1 messages, %2 tokens</source>
        <translation>%1 条消息，%2 个词元</translation>
    </message>
    <message>
        <source>%1 of stored state, %2 tokens to read</source>
        <translation>已存状态 %1，需读取 %2 个词元</translation>
    </message>
    <message>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionPanel</name>
    <message>
        <source>Search all sessions</source>
        <translation>搜索所有会话</translation>
    </message>
    <message>
        <source>New session (Ctrl+N)</source>
        <translation>新会话 (Ctrl+N)</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>新会话</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Found sessions and messages</source>
        <translation>找到的会话和消息</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionTree</name>
    <message numerus="yes">
        <source>Folder %1, %Ln sessions</source>
        <translation>
            <numerusform>文件夹 %1，%Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SettingsDialog</name>
    <message>
        <source>Think before answering</source>
        <translation>回答前先思考</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>up to the context</source>
        <translation>直到上下文上限</translation>
    </message>
    <message>
        <source>New sessions ask like this, too</source>
        <translation>新会话也这样提问</translation>
    </message>
    <message>
        <source>How this session asks</source>
        <translation>此会话的提问方式</translation>
    </message>
    <message>
        <source>What the model is told before the first question</source>
        <translation>在第一个问题之前告诉模型的内容</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>不指定</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>as much as possible</source>
        <translation>尽可能多</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>&amp;Preset</source>
        <translation>预设(&amp;P)</translation>
    </message>
    <message>
        <source>S&amp;ystem prompt</source>
        <translation>系统提示(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Effort</source>
        <translation>投入(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Temperature</source>
        <translation>温度(&amp;T)</translation>
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
        <translation>重复惩罚(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>种子(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Longest answer, tokens</source>
        <translation>最长回答，词元(&amp;L)</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>– as below –</source>
        <translation>– 如下 –</translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Import preset</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation>预设 (*.json)</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SourceDialog</name>
    <message>
        <source>%1: what the model was given</source>
        <translation>%1：提供给模型的内容</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptFeed</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Cut off: the program ended while this was written</source>
        <translation>已中断：书写时程序意外结束</translation>
    </message>
    <message>
        <source>Ended at the limit of tokens</source>
        <translation>已达词元上限</translation>
    </message>
    <message>
        <source>This message is damaged and cannot be read</source>
        <translation>此消息已损坏，无法读取</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptModel</name>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>first token %1 s</source>
        <translation>首词元 %1 秒</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s) written</source>
        <translation>
            <numerusform>已写 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tokens reused, %2 computed</source>
        <translation>复用 %1 个词元，计算 %2 个</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptView</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>对话记录</translation>
    </message>
    <message>
        <source>version %1 of %2</source>
        <translation>版本 %1 / %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TurnLine</name>
    <message>
        <source>Reading %1 of %2 tokens</source>
        <translation>正在读取 %1 / %2 个词元</translation>
    </message>
    <message>
        <source>%1 from stored states</source>
        <translation>%1 来自已存状态</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>%1 s left</source>
        <translation>剩余 %1 秒</translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation>剩余 %1 分钟</translation>
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
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop (Esc); what is finished is kept</source>
        <translation>停止 (Esc)；已完成的部分会保留</translation>
    </message>
    <message>
        <source>How much of the prompt is read</source>
        <translation>提示的读取进度</translation>
    </message>
    <message>
        <source>In another session: %1</source>
        <translation>另一会话：%1</translation>
    </message>
    <message>
        <source>Opening the stored state…</source>
        <translation>正在打开已存状态…</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message numerus="yes">
        <source>%Ln tokens written</source>
        <translation>
            <numerusform>已写 %Ln 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2 tokens/s</source>
        <translation>%1 · %2 词元/秒</translation>
    </message>
</context>
<context>
    <name>pal::desktop::WelcomePane</name>
    <message>
        <source>Ask about documents, pictures and clips</source>
        <translation>就文档、图片和视频提问</translation>
    </message>
    <message>
        <source>Drop files here, paste them, or attach them with Ctrl+O.
What is read is kept, so that you can go on tomorrow.</source>
        <translation>将文件拖到这里、粘贴，或按 Ctrl+O 添加。
读过的内容会保留，明天可以继续。</translation>
    </message>
    <message>
        <source>Try all three, in about a minute</source>
        <translation>试试全部三个，约一分钟</translation>
    </message>
    <message>
        <source>The embedded model is a small demonstration and often wrong. It reads English and knows only what you give it.</source>
        <translation>内置模型只是一个小型演示，经常出错。它只能读英文，也只知道您提供给它的内容。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::WindowActions</name>
    <message>
        <source>&amp;Session</source>
        <translation>会话(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;New session</source>
        <translation>新会话(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Attach files…</source>
        <translation>添加附件(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>重命名(&amp;R)…</translation>
    </message>
    <message>
        <source>Move to &amp;folder…</source>
        <translation>移到文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;How it asks…</source>
        <translation>提问方式(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Delete session</source>
        <translation>删除会话(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Message</source>
        <translation>消息(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Edit the last question</source>
        <translation>编辑上一个问题(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Answer again</source>
        <translation>重新回答(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Fork here</source>
        <translation>在此分支(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Previous version</source>
        <translation>上一版本(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next version</source>
        <translation>下一版本(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Search all sessions</source>
        <translation>搜索所有会话(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Find in this session</source>
        <translation>在此会话中查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>S&amp;essions at the side</source>
        <translation>侧边会话栏(&amp;E)</translation>
    </message>
    <message>
        <source>Next &amp;part of the window</source>
        <translation>窗口的下一部分(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Larger</source>
        <translation>放大(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Smaller</source>
        <translation>缩小(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Usual size</source>
        <translation>默认大小(&amp;U)</translation>
    </message>
    <message>
        <source>Light or dark as the &amp;system</source>
        <translation>明暗跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>L&amp;ight</source>
        <translation>浅色(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>M&amp;odel</source>
        <translation>模型(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Model and runtime…</source>
        <translation>模型与运行(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>快捷键(&amp;S)</translation>
    </message>
    <message>
        <source>Copy &amp;diagnostics</source>
        <translation>复制诊断信息(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;About Palimpsest</source>
        <translation>关于 Palimpsest(&amp;A)</translation>
    </message>
</context>
</TS>
