<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Figure</name>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="5"/>
        <source> A cell is the mean over {} tokens of the sum over {}.</source>
        <translation> 每格为 {} 个词元上的均值，取自 {} 个词元之和。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="6"/>
        <source>, entropy {}</source>
        <translation>，熵 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="7"/>
        <source>, evenly spaced</source>
        <translation>，均匀抽取</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="8"/>
        <source>, head {}</source>
        <translation>，头 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="9"/>
        <source>, layer {}</source>
        <translation>，层 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="10"/>
        <source>, logits differ from the saved ones by at most {}</source>
        <translation>，logits 与保存值最多相差 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="11"/>
        <source>, then “{}” with {}</source>
        <translation>，其次“{}”为 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="12"/>
        <source>; captured live</source>
        <translation>；生成时记录</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="13"/>
        <source>; captured live, in part computed again</source>
        <translation>；生成时记录，部分为重新计算</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="14"/>
        <source>; computed again</source>
        <translation>；重新计算</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="15"/>
        <source>A bar is one part of a layer; its pieces are the weights of the snapshots, oldest first, and of the running sum.</source>
        <translation>每个条是层的一个部分；其分段为各快照（从最早开始）与累计和的权重。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="16"/>
        <source>A bright cell is a part that this layer read from; choose it to open that page or frame.</source>
        <translation>亮格表示该层读取的部分；选择它可打开对应页面或画面。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="17"/>
        <source>A cell is one token of the picture; for clips the line below shows attention over time.</source>
        <translation>每格为图片的一个词元；对视频，下方曲线显示注意力随时间的变化。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="18"/>
        <source>A column is a layer, a row is something measured in it: how long it remembers, how much it wrote, how open its gate was, how spread its attention and its experts were.</source>
        <translation>每列为一层，每行为其中的一项测量：记忆多久、写入多少、门有多开、注意力与专家有多分散。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="19"/>
        <source>A delta attention layer forgets each channel of its memory at its own pace; shown is after how many tokens half is left.</source>
        <translation>增量注意力层以各自的速度遗忘每个记忆通道；这里显示多少词元后还剩一半。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="20"/>
        <source>A head with a shut gate adds nothing at that token, whatever it attended to.</source>
        <translation>门关闭的头在该词元处不产生贡献，无论它关注了什么。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="21"/>
        <source>A high Gini index means that few experts do most of the work; low entropy means that the router was sure.</source>
        <translation>基尼系数高说明少数专家承担大部分工作；熵低说明路由很确定。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="22"/>
        <source>A norm that levels off means that old content decays as fast as new content is written.</source>
        <translation>范数趋于平稳，说明旧内容衰减与新内容写入一样快。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="23"/>
        <source>A part that draws on early snapshots passes over what the layers between have added.</source>
        <translation>若某部分取自早期快照，则跳过了中间各层的贡献。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="24"/>
        <source>A positive weight adds the token&apos;s value to the output, a negative one takes it away.</source>
        <translation>正权重将该词元的值加入输出，负权重则减去。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="25"/>
        <source>A row is a token that looks, a column a token that is looked at, the colour the attention between them.</source>
        <translation>行为观看的词元，列为被观看的词元，颜色为两者间的注意力。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="26"/>
        <source>Above is how often each expert ran over the selection, below the experts of its first token with their weights.</source>
        <translation>上方为所选范围内每位专家运行的频率，下方为其首个词元的专家及权重。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="27"/>
        <source>Above is its norm over the session; below, for a computed window, the matrix itself and what the window changed in it.</source>
        <translation>上方为其范数随会话的变化；下方为已计算窗口的矩阵及窗口带来的变化。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="28"/>
        <source>All layers with attention</source>
        <translation>所有注意力层</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="29"/>
        <source>Attention from token to token</source>
        <translation>词元间注意力</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="30"/>
        <source>Attention from token to token, layer {}</source>
        <translation>词元间注意力，层 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="31"/>
        <source>Attention is the softmax weight of the MLA layers, summed over the tokens of a part; the first token of the session, which takes what heads do not need elsewhere, is shown apart.</source>
        <translation>注意力为 MLA 层的 softmax 权重，按部分内的词元求和；会话首个词元吸收各头无处可用的权重，单独显示。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="32"/>
        <source>Attention mass per part of the context, mean over heads and tokens; with the first token, shown apart, each row sums to 1.</source>
        <translation>上下文各部分的注意力，对头与词元取均值；连同单独显示的首个词元，每行之和为 1。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="33"/>
        <source>Attention mass per part of the context, mean over heads and tokens; without the first token, the rest made to sum to 1.</source>
        <translation>上下文各部分的注意力，对头与词元取均值；去掉首个词元，其余归一化为 1。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="34"/>
        <source>Attention of the selected tokens on a picture, a page shown as picture or a frame, over the picture itself.</source>
        <translation>所选词元对图片、以图片显示的页面或画面的注意力，叠加在图片上。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="35"/>
        <source>Attention per time of the clip</source>
        <translation>视频各时刻的注意力</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="36"/>
        <source>Before a delta attention layer writes, it reads what the key recalls and writes only the difference.</source>
        <translation>增量注意力层写入前先读取键所回忆的内容，只写入差值。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="37"/>
        <source>Before each part of a layer the model mixes earlier states of its residual stream with softmax weights.</source>
        <translation>在层的每个部分之前，模型以 softmax 权重混合残差流的早期状态。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="38"/>
        <source>Before {} the likeliest token was “{}” with {}</source>
        <translation>在{}之前，最可能的词元是“{}”，概率 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="39"/>
        <source>Both have the same axes and the same colours; the difference is the second minus the first.</source>
        <translation>两者坐标与颜色相同；差值为第二个减第一个。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="40"/>
        <source>Bright cells are where the chosen layer and head looked, which need not be what decided the answer.</source>
        <translation>亮格为所选层与头观看之处，但未必决定了答案。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="41"/>
        <source>Bright tokens have large values; point at one to see what else the model might have written there.</source>
        <translation>越亮的词元值越大；指向它可看到模型原本还可能写什么。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="42"/>
        <source>Channels that keep half for more than {} tokens</source>
        <translation>半衰期超过 {} 个词元的通道</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="43"/>
        <source>Choose a second token or span: Alt with a click, or “Compare with”.</source>
        <translation>请选择第二个词元或范围：按住 Alt 点击。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="44"/>
        <source>Coloured text</source>
        <translation>着色文本</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="45"/>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="46"/>
        <source>Compute a window with all values of layer {} around this token to see its reads.</source>
        <translation>请以全部数值重新计算该词元附近的窗口（层 {}），以查看其读取。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="47"/>
        <source>Compute a window with all values to see single channels.</source>
        <translation>请以全部数值计算窗口，以查看单个通道。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="48"/>
        <source>Compute a window with all values to see the matrix of a head.</source>
        <translation>请以全部数值计算窗口，以查看头的矩阵。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="49"/>
        <source>Delta attention has no softmax, but its output is a sum over all earlier tokens with weights that follow from the recurrence; these weights are shown.</source>
        <translation>增量注意力没有 softmax，但其输出是对所有先前词元的加权和，权重由递推得出；此处显示这些权重。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="50"/>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="51"/>
        <source>Each attention head multiplies its output by a gate between 0 and 1 per channel.</source>
        <translation>每个注意力头按通道将输出乘以 0 到 1 之间的门。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="52"/>
        <source>Each token by its own value; plain ones were not captured.</source>
        <translation>每个词元按其数值着色；未着色者没有记录。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="53"/>
        <source>Entropy of the weights</source>
        <translation>权重的熵</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="54"/>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="55"/>
        <source>Experts as the router chose them, with the weights that scale their outputs; the shared experts, which always run, are left out.</source>
        <translation>路由选择的专家及其输出权重；始终运行的共享专家未列出。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="56"/>
        <source>Experts of {}, best first</source>
        <translation>{}的专家，按优先排列</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="57"/>
        <source>First: {}. Second: {}.</source>
        <translation>第一：{}。第二：{}。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="58"/>
        <source>For a computed window every weight is known and each row sums to 1; otherwise only the most attended tokens of each row were kept.</source>
        <translation>在已计算的窗口中所有权重已知，每行之和为 1；否则只保留每行最受关注的词元。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="59"/>
        <source>Frobenius norm over all heads after each token, with its smallest and largest value where a column holds several tokens.</source>
        <translation>每个词元之后所有头的 Frobenius 范数；一列含多个词元时附最小与最大值。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="60"/>
        <source>From which depth layers drew, {}</source>
        <translation>各层取自何种深度，{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="61"/>
        <source>Gates</source>
        <translation>门</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="62"/>
        <source>Gini index</source>
        <translation>基尼系数</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="63"/>
        <source>Gini index of the load</source>
        <translation>负载的基尼系数</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="64"/>
        <source>Head {} after the window</source>
        <translation>窗口之后的头 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="65"/>
        <source>Head {}: S before {} and after, computed again.</source>
        <translation>头 {}：{}之前与之后的 S，重新计算。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="66"/>
        <source>Head {}: length of each part over that of the read</source>
        <translation>头 {}：各部分长度与读取长度之比</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="67"/>
        <source>Heads of layer {}</source>
        <translation>层 {} 的头</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="68"/>
        <source>Heads with long half-lives can carry facts across a document, those with short ones only the last words.</source>
        <translation>半衰期长的头可跨文档保存事实，短的只能保存最近几个词。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="69"/>
        <source>How far a token&apos;s value was from what its key recalled, times β: what was new to the memory. Where a column holds several tokens, the largest.</source>
        <translation>词元的值与其键所回忆内容之差乘以 β：对记忆而言的新内容。一列含多个词元时取最大值。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="70"/>
        <source>How long delta attention remembers, at {}</source>
        <translation>增量注意力的记忆长度，{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="71"/>
        <source>How long it remembers</source>
        <translation>记忆多久</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="72"/>
        <source>How much attention the selected tokens paid to each page, file, frame and turn, layer by layer.</source>
        <translation>所选词元对每个页面、文件、画面与消息的注意力，逐层显示。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="73"/>
        <source>How open the output gates were, {}</source>
        <translation>输出门的开启程度，{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="74"/>
        <source>In most layers a router sends each token to a few of many experts.</source>
        <translation>在多数层中，路由将每个词元送往众多专家中的少数几位。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="75"/>
        <source>It is ln 2 divided by minus the log decay that the layer chose at each token.</source>
        <translation>其值为 ln 2 除以该层在每个词元处选择的对数衰减的相反数。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="76"/>
        <source>Its memory</source>
        <translation>其记忆</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="77"/>
        <source>Large values are tokens that told the memory something new; a fact that is repeated writes little, one that is changed writes much.</source>
        <translation>数值大表示该词元带来新信息；重复的事实写入少，改变的事实写入多。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="78"/>
        <source>Layer {} drew most on earlier depths: {} of its input came from snapshots.</source>
        <translation>层 {} 最多取自较早深度：其输入的 {} 来自快照。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="79"/>
        <source>Layer {}, head {}: every channel, over the window</source>
        <translation>层 {}，头 {}：窗口内的每个通道</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="80"/>
        <source>Layer {}: 10 % to 90 % of a head&apos;s channels, and the median</source>
        <translation>层 {}：每个头通道的 10% 到 90% 及中位数</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="81"/>
        <source>Layer {}: attention on each token of the picture, every token known.</source>
        <translation>层 {}：对图片每个词元的注意力，全部已知。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="82"/>
        <source>Layer {}: attention on the tokens of the picture that are among the most attended of each token, mean over heads; plain cells hold less.</source>
        <translation>层 {}：对图片中最受关注词元的注意力，对头取均值；空格更少。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="83"/>
        <source>Layer {}: effective write β‖v − Sᵀk‖ per head</source>
        <translation>层 {}：每个头的有效写入 β‖v − Sᵀk‖</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="84"/>
        <source>Layer {}: mean openness over tokens</source>
        <translation>层 {}：各词元的平均开启度</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="85"/>
        <source>Layer {}: norm of the state over tokens</source>
        <translation>层 {}：状态范数随词元变化</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="86"/>
        <source>Layer {}: shares of channels</source>
        <translation>层 {}：通道占比</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="87"/>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="88"/>
        <source>Layers at {}</source>
        <translation>{}处的各层</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="89"/>
        <source>Load: share of tokens that an expert ran for</source>
        <translation>负载：专家所处理词元的比例</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="90"/>
        <source>Look for columns that stand out, and choose one to see that layer in the other views.</source>
        <translation>留意突出的列，选择后可在其他视图中查看该层。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="91"/>
        <source>Mean openness, all layers</source>
        <translation>平均开启度，所有层</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="92"/>
        <source>Median over channels, all KDA layers</source>
        <translation>通道中位数，所有 KDA 层</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="93"/>
        <source>Most surprising tokens</source>
        <translation>最意外的词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="94"/>
        <source>Nothing was captured of {}. Compute this span again to see it.</source>
        <translation>没有{}的记录。请重新计算该范围以查看。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="95"/>
        <source>Of what was attached it looked most at {}: {} of all attention, and {} of that of layer {}, head {}.</source>
        <translation>在附件中它最关注 {0}：占全部注意力的 {1}，占层 {3} 头 {4} 注意力的 {2}。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="96"/>
        <source>On the picture</source>
        <translation>图片上</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="97"/>
        <source>One view of two tokens, spans or branches, one above the other, and their difference.</source>
        <translation>对两个词元、范围或分支的同一视图，上下排列，并显示差值。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="98"/>
        <source>Over {}: {} of {} tokens read</source>
        <translation>范围 {}：读取 {} / {} 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="99"/>
        <source>Per layer: mean over the tokens of what each row names. Every row has its own colours, from its smallest to its largest value.</source>
        <translation>每层：各行所示量对词元的均值。每行颜色独立，从最小值到最大值。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="100"/>
        <source>Red is where the second has more, blue where it has less.</source>
        <translation>红色表示第二个更多，蓝色表示更少。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="101"/>
        <source>Rows look at columns; all of the attention of each row, mean over heads.</source>
        <translation>行观看列；每行的全部注意力，对头取均值。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="102"/>
        <source>Rows look at columns; only the most attended tokens of each row were kept, mean over heads.</source>
        <translation>行观看列；每行只保留最受关注的词元，对头取均值。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="103"/>
        <source>Shown is the mean over a head&apos;s channels, and how many of them are nearly shut or nearly open.</source>
        <translation>显示每个头各通道的均值，以及几乎关闭或几乎打开的比例。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="104"/>
        <source>Sigmoid of each channel&apos;s gate: 0 lets nothing of the attention&apos;s output through, 1 all. Shut is below 0.1, open above 0.9.</source>
        <translation>每个通道门的 sigmoid：0 全部阻断，1 全部通过。低于 0.1 为关，高于 0.9 为开。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="105"/>
        <source>Signed weights implied by the recurrence, which has no softmax; exact over the window, nothing is left out. Checked: with what is older they sum to the layer&apos;s own read within {}.</source>
        <translation>由递推得出的有符号权重（没有 softmax）；窗口内精确，无遗漏。已校验：连同更早部分，与该层读取之差不超过 {}。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="106"/>
        <source>Singular values; effective rank {} before, {} after</source>
        <translation>奇异值；有效秩：之前 {}，之后 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="107"/>
        <source>Softmax weights over the snapshots of the residual stream and its running sum, mean over tokens. Checked: each row sums to 1 within {}.</source>
        <translation>残差流快照与累计和上的 softmax 权重，对词元取均值。已校验：每行之和与 1 之差不超过 {}。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="108"/>
        <source>Text by {}</source>
        <translation>文本着色：{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="109"/>
        <source>The effective write is the length of that difference times the write strength β.</source>
        <translation>有效写入为该差值的长度乘以写入强度 β。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="110"/>
        <source>The largest write was at {}, in layer {}, head {}: {}, {} times the median of all heads here.</source>
        <translation>最大写入在{}，层 {}，头 {}：{}，为此处所有头中位数的 {} 倍。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="111"/>
        <source>The memory of a delta attention head is one matrix of fixed size, however long the text is.</source>
        <translation>增量注意力头的记忆是固定大小的矩阵，无论文本多长。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="112"/>
        <source>The number was measured while the token was read; tokens without colour were not looked at.</source>
        <translation>该数值在读取词元时测得；未着色的词元没有观察。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="113"/>
        <source>The state of delta attention, layer {}</source>
        <translation>增量注意力的状态，层 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="114"/>
        <source>The text of the session with each token tinted by one number.</source>
        <translation>会话文本，每个词元按一个数值着色。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="115"/>
        <source>The two have other rows or columns: nothing can be set side by side.</source>
        <translation>两者的行或列不同，无法并列。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="116"/>
        <source>There is no picture, page or clip before this token.</source>
        <translation>该词元之前没有图片、页面或视频。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="117"/>
        <source>There is no view “{}” to compare.</source>
        <translation>没有可比较的视图“{}”。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="118"/>
        <source>They are signed and do not sum to 1; what was written before the window is one bar, and the sum is checked against what the layer really read.</source>
        <translation>它们有正负，之和不为 1；窗口之前写入的内容为一个条，并与该层实际读取值校验。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="119"/>
        <source>This layer has no output gate.</source>
        <translation>该层没有输出门。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="120"/>
        <source>This model adds its layers up and chooses no depth.</source>
        <translation>该模型直接累加各层，不选择深度。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="121"/>
        <source>This model has no delta attention layer.</source>
        <translation>该模型没有增量注意力层。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="122"/>
        <source>This model has no experts.</source>
        <translation>该模型没有专家。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="123"/>
        <source>This model has no layer with attention.</source>
        <translation>该模型没有注意力层。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="124"/>
        <source>Token to token</source>
        <translation>词元到词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="125"/>
        <source>Tokens until half of what a channel holds has decayed, ln 2 / −ln α; geometric mean over the tokens.</source>
        <translation>通道内容衰减一半所需的词元数，ln 2 / −ln α；对词元取几何均值。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="126"/>
        <source>Two compared</source>
        <translation>两者比较</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="127"/>
        <source>Values are means over the selected tokens, and each row has its own scale because the rows have other units.</source>
        <translation>数值为所选词元的均值；各行单位不同，故各有刻度。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="128"/>
        <source>Vertical stripes are tokens that many others look at, a diagonal means looking at what came just before.</source>
        <translation>竖条为被许多词元观看的词元，对角线表示观看刚出现的内容。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="129"/>
        <source>Weight of each earlier token, per head</source>
        <translation>每个头对各先前词元的权重</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="130"/>
        <source>What delta attention wrote, {}</source>
        <translation>增量注意力的写入，{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="131"/>
        <source>What it recalled</source>
        <translation>回忆了什么</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="132"/>
        <source>What it wrote</source>
        <translation>写入了什么</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="133"/>
        <source>What layer {} recalled at {}</source>
        <translation>层 {} 在{}回忆的内容</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="134"/>
        <source>What layer {}, head {} recalled at {} came most from {} (weight {}), and {} from before the window.</source>
        <translation>层 {} 头 {} 在{}回忆的内容主要来自{}（权重 {}），来自窗口之前的为 {}。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="135"/>
        <source>What the window changed</source>
        <translation>窗口带来的变化</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="136"/>
        <source>What {} saw</source>
        <translation>{}所见</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="137"/>
        <source>Where it looked</source>
        <translation>看向何处</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="138"/>
        <source>Where {} looked</source>
        <translation>{}看向何处</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="139"/>
        <source>Which experts ran, {}</source>
        <translation>运行的专家，{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="140"/>
        <source>Window: {}; computed again.</source>
        <translation>窗口：{}；重新计算。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="141"/>
        <source>Write strength β: mean and spread over heads</source>
        <translation>写入强度 β：各头均值与范围</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="142"/>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="143"/>
        <source>as lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="144"/>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="145"/>
        <source>attention on the first token</source>
        <translation>对首个词元的注意力</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="146"/>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="147"/>
        <source>before the output</source>
        <translation>输出之前</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="148"/>
        <source>between</source>
        <translation>居中</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="149"/>
        <source>channel {}</source>
        <translation>通道 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="150"/>
        <source>choice {}</source>
        <translation>第 {} 选</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="151"/>
        <source>column {}</source>
        <translation>列 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="152"/>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="153"/>
        <source>effective write</source>
        <translation>有效写入</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="154"/>
        <source>entropy of attention (nats)</source>
        <translation>注意力的熵（nats）</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="155"/>
        <source>entropy of routing (nats)</source>
        <translation>路由的熵（nats）</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="156"/>
        <source>entropy of the next token (nats)</source>
        <translation>下一词元的熵（nats）</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="157"/>
        <source>expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="158"/>
        <source>expert {}</source>
        <translation>专家 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="159"/>
        <source>experts {}–{}</source>
        <translation>专家 {}–{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="160"/>
        <source>experts, busiest first</source>
        <translation>专家，按负载排列</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="161"/>
        <source>first token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="162"/>
        <source>first: {}</source>
        <translation>第一：{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="163"/>
        <source>from the largest on</source>
        <translation>从最大开始</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="164"/>
        <source>half-life (tokens)</source>
        <translation>半衰期（词元）</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="165"/>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="166"/>
        <source>head {}</source>
        <translation>头 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="167"/>
        <source>key channel</source>
        <translation>键通道</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="168"/>
        <source>key channel {}</source>
        <translation>键通道 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="169"/>
        <source>layer (K: delta attention, M: latent attention)</source>
        <translation>层（K：增量注意力，M：潜在注意力）</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="170"/>
        <source>layer {}</source>
        <translation>层 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="171"/>
        <source>layer {} ({})</source>
        <translation>层 {}（{}）</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="172"/>
        <source>layer {}, attention</source>
        <translation>层 {}，注意力</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="173"/>
        <source>layer {}, feed-forward</source>
        <translation>层 {}，前馈</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="174"/>
        <source>layer {}, head {}</source>
        <translation>层 {}，头 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="175"/>
        <source>likely here:</source>
        <translation>此处可能：</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="176"/>
        <source>markup</source>
        <translation>标记</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="177"/>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="178"/>
        <source>mean of all</source>
        <translation>总均值</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="179"/>
        <source>message {}</source>
        <translation>消息 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="180"/>
        <source>norm of the state</source>
        <translation>状态范数</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="181"/>
        <source>older</source>
        <translation>更早</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="182"/>
        <source>older than the window</source>
        <translation>早于窗口</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="183"/>
        <source>open</source>
        <translation>开</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="184"/>
        <source>openness</source>
        <translation>开启度</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="185"/>
        <source>out</source>
        <translation>输出</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="186"/>
        <source>output gate</source>
        <translation>输出门</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="187"/>
        <source>p. {}</source>
        <translation>第{}页</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="188"/>
        <source>part of the context</source>
        <translation>上下文的部分</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="189"/>
        <source>place {}</source>
        <translation>第 {} 位</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="190"/>
        <source>row {}</source>
        <translation>行 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="191"/>
        <source>running sum</source>
        <translation>累计和</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="192"/>
        <source>second minus first</source>
        <translation>第二减第一</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="193"/>
        <source>second: {}</source>
        <translation>第二：{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="194"/>
        <source>share of channels</source>
        <translation>通道占比</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="195"/>
        <source>share of the read</source>
        <translation>读取占比</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="196"/>
        <source>share of tokens</source>
        <translation>词元占比</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="197"/>
        <source>shut</source>
        <translation>关</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="198"/>
        <source>singular value</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="199"/>
        <source>sink</source>
        <translation>汇</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="200"/>
        <source>snapshot {}</source>
        <translation>快照 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="201"/>
        <source>the expert at place {} of its layer</source>
        <translation>该层第 {} 位专家</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="202"/>
        <source>this answer</source>
        <translation>本回答</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="203"/>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="204"/>
        <source>token that was looked at</source>
        <translation>被观看的词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="205"/>
        <source>token that was written</source>
        <translation>写入的词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="206"/>
        <source>token {}</source>
        <translation>词元 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="207"/>
        <source>token {} “{}”</source>
        <translation>词元 {}“{}”</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="208"/>
        <source>tokens {}–{}</source>
        <translation>词元 {}–{}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="209"/>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="210"/>
        <source>value channel {}</source>
        <translation>值通道 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="211"/>
        <source>value of S</source>
        <translation>S 的值</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="212"/>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="213"/>
        <source>write strength β</source>
        <translation>写入强度 β</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="214"/>
        <source>{} att</source>
        <translation>{} 注</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="215"/>
        <source>{} ffn</source>
        <translation>{} 前</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="216"/>
        <source>{} neighbouring parts to a column.</source>
        <translation>每列含 {} 个相邻部分。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="217"/>
        <source>{} to {}</source>
        <translation>{} 至 {}</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="218"/>
        <source>{}, page {}</source>
        <translation>{}，第 {} 页</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="219"/>
        <source>{}, page {}, picture</source>
        <translation>{}，第 {} 页，图片</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="220"/>
        <source>{}, {:.1f} s</source>
        <translation>{}，{:.1f} 秒</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/figure_texts_generated.cpp" line="221"/>
        <source>−log p of the likeliest next token (nats)</source>
        <translation>最可能下一词元的 −log p（nats）</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <location filename="../../app/desktop/composer/preview.cpp" line="19"/>
        <source>Page %1 as a picture, %2 tokens</source>
        <translation>第 %1 页作为图片，%2 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/preview.cpp" line="20"/>
        <source>Picture, %1 tokens</source>
        <translation>图片，%1 个词元</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/composer/preview.cpp" line="21"/>
        <source>%1: %n frame(s), %2 tokens</source>
        <translation>
            <numerusform>%1：%n 帧，%2 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/preview.cpp" line="62"/>
        <source>Page %1</source>
        <translation>第 %1 页</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/preview.cpp" line="62"/>
        <source>Text</source>
        <translation>文本</translation>
    </message>
</context>
<context>
    <name>Samples</name>
    <message>
        <location filename="../../app/desktop/welcome/samples.cpp" line="12"/>
        <source>A document</source>
        <translation>文档</translation>
    </message>
    <message>
        <location filename="../../app/desktop/welcome/samples.cpp" line="13"/>
        <source>A picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <location filename="../../app/desktop/welcome/samples.cpp" line="15"/>
        <source>A clip</source>
        <translation>视频</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <location filename="../../app/desktop/transcript/block_row.cpp" line="161"/>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="81"/>
        <source>Show what the model was given of %1</source>
        <translation>显示提供给模型的 %1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="115"/>
        <source>Hide: %1</source>
        <translation>隐藏：%1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="116"/>
        <source>Show: %1</source>
        <translation>显示：%1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="222"/>
        <source>Copy message</source>
        <translation>复制消息</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="224"/>
        <source>Edit as a new version</source>
        <translation>编辑为新版本</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="226"/>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="228"/>
        <source>Continue from here in a new session</source>
        <translation>从此处在新会话中继续</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="230"/>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="232"/>
        <source>Previous version</source>
        <translation>上一版本</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="234"/>
        <source>Next version</source>
        <translation>下一版本</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="261"/>
        <source>Thinking…</source>
        <translation>思考中…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="262"/>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="263"/>
        <source>Thought for %1 s</source>
        <translation>思考了 %1 秒</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="268"/>
        <source>Calls %1…</source>
        <translation>正在调用 %1…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="269"/>
        <source>Called %1</source>
        <translation>已调用 %1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="274"/>
        <source>writing…</source>
        <translation>正在书写…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="275"/>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/chrome_row.cpp" line="276"/>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <location filename="../../app/desktop/main.cpp" line="26"/>
        <source>Chat with documents, pictures and clips on a model of this machine</source>
        <translation>在本机模型上与文档、图片和视频对话</translation>
    </message>
    <message>
        <location filename="../../app/desktop/main.cpp" line="30"/>
        <source>Folder for sessions and stored states</source>
        <translation>会话与已存状态的文件夹</translation>
    </message>
    <message>
        <location filename="../../app/desktop/main.cpp" line="33"/>
        <source>Model folder or Hugging Face name</source>
        <translation>模型文件夹或 Hugging Face 名称</translation>
    </message>
    <message>
        <location filename="../../app/desktop/main.cpp" line="36"/>
        <source>Do not hand over to a window that is open</source>
        <translation>不转交给已打开的窗口</translation>
    </message>
    <message>
        <location filename="../../app/desktop/main.cpp" line="38"/>
        <source>Files to attach</source>
        <translation>要附加的文件</translation>
    </message>
</context>
<context>
    <name>pal::desktop::About</name>
    <message>
        <location filename="../../app/desktop/frame/about.cpp" line="30"/>
        <source>About Palimpsest</source>
        <translation>关于 Palimpsest</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/about.cpp" line="33"/>
        <source>Chat with documents, pictures and clips on a Kimi model that runs on this machine.
Nothing leaves it: this program opens no network connection.</source>
        <translation>在本机运行的 Kimi 模型上，与文档、图片和视频对话。
一切都留在本机：本程序不打开任何网络连接。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/about.cpp" line="38"/>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/about.cpp" line="39"/>
        <source>Third-party notices</source>
        <translation>第三方声明</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDelegate</name>
    <message>
        <location filename="../../app/desktop/composer/attachment_list.cpp" line="114"/>
        <source> · %1 tokens</source>
        <translation> · %1 个词元</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/composer/attachment_list.cpp" line="129"/>
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n 条警告</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDialog</name>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="29"/>
        <source>%1: what the model sees</source>
        <translation>%1：模型看到的内容</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="101"/>
        <source>&amp;First page</source>
        <translation>首页(&amp;F)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="102"/>
        <source>&amp;Last page</source>
        <translation>末页(&amp;L)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="121"/>
        <source>&amp;Show pages without text as pictures</source>
        <translation>将无文字的页面显示为图片(&amp;S)</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="141"/>
        <source>%1 × %2 pixels, %n token(s)</source>
        <translation>
            <numerusform>%1 × %2 像素，%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="153"/>
        <source>Picture &amp;size</source>
        <translation>图片大小(&amp;Z)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="164"/>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="175"/>
        <source>Frames per second</source>
        <translation>每秒帧数</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="178"/>
        <source>&amp;Start</source>
        <translation>开始(&amp;B)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="179"/>
        <source>&amp;End</source>
        <translation>结束(&amp;E)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="180"/>
        <source>&amp;Frames per second</source>
        <translation>每秒帧数(&amp;F)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="216"/>
        <source>Costs %1 tokens</source>
        <translation>需要 %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="217"/>
        <source>Counting…</source>
        <translation>正在计数…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_dialog.cpp" line="220"/>
        <source>The sound is not used.</source>
        <translation>不使用声音。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentList</name>
    <message>
        <location filename="../../app/desktop/composer/attachment_list.cpp" line="148"/>
        <source>Attachments</source>
        <translation>附件</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_list.cpp" line="149"/>
        <source>Enter shows what the model will see, Delete takes the attachment out</source>
        <translation>按回车查看模型将看到的内容，按删除键移除附件</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_list.cpp" line="227"/>
        <source>&amp;What the model sees…</source>
        <translation>模型看到的内容(&amp;W)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_list.cpp" line="229"/>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_list.cpp" line="231"/>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_list.cpp" line="231"/>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentModel</name>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="159"/>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="159"/>
        <source>Reading, %1 %</source>
        <translation>正在读取，%1%</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="164"/>
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n 页</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="166"/>
        <source>page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="167"/>
        <source>pages %1–%2 of %3</source>
        <translation>第 %1–%2 页，共 %3 页</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="172"/>
        <source>%1–%2</source>
        <translation>%1–%2</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="175"/>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="179"/>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="179"/>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="179"/>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="179"/>
        <source>Clip</source>
        <translation>视频</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="180"/>
        <source>%1 %2: %3</source>
        <translation>%1 %2：%3</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/attachment_model.cpp" line="183"/>
        <source>, %1 tokens</source>
        <translation>，%1 个词元</translation>
    </message>
</context>
<context>
    <name>pal::desktop::CaptureBar</name>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="25"/>
        <source>Compute the selection again…</source>
        <translation>重新计算所选范围…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="26"/>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="27"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="53"/>
        <source>What is captured of answers</source>
        <translation>回答时记录的内容</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="54"/>
        <source>Capture nothing</source>
        <translation>不记录</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="55"/>
        <source>Capture a summary</source>
        <translation>记录摘要</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="58"/>
        <source>What is computed again</source>
        <translation>重新计算的内容</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="59"/>
        <source>Window: summaries</source>
        <translation>窗口：摘要</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="60"/>
        <source>Full: every value of the layer</source>
        <translation>完整：该层全部数值</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="70"/>
        <source>Computed tokens</source>
        <translation>已计算词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="116"/>
        <source>Reads %1 tokens again, keeps %2</source>
        <translation>重读 %1 个词元，保留 %2</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="118"/>
        <source>, about %1 s</source>
        <translation>，约 %1 秒</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="147"/>
        <source>%1 per token</source>
        <translation>每词元 %1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="152"/>
        <source>its time is measured once answers were written with and without</source>
        <translation>分别在记录与不记录时生成回答后即可测得耗时</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/capture_bar.cpp" line="156"/>
        <source>%1 % more time per token</source>
        <translation>每词元耗时增加 %1%</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Chat</name>
    <message>
        <location filename="../../app/desktop/chat/chat.cpp" line="238"/>
        <source>%1 (fork)</source>
        <translation>%1（分支）</translation>
    </message>
</context>
<context>
    <name>pal::desktop::ChatPane</name>
    <message>
        <location filename="../../app/desktop/frame/chat_pane.cpp" line="46"/>
        <source>You write a question again. The old one stays beside it.</source>
        <translation>您正在重写一个问题，旧的会保留。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/chat_pane.cpp" line="47"/>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/chat_pane.cpp" line="75"/>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/chat_pane.cpp" line="277"/>
        <source>Open this address?</source>
        <translation>打开此地址？</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/chat_pane.cpp" line="278"/>
        <source>It is opened by the program that your system has for it.</source>
        <translation>将用系统默认的程序打开。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::CommandPalette</name>
    <message>
        <location filename="../../app/desktop/frame/command_palette.cpp" line="30"/>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/command_palette.cpp" line="31"/>
        <source>Type a command</source>
        <translation>输入命令</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/command_palette.cpp" line="32"/>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/command_palette.cpp" line="33"/>
        <source>Matching commands</source>
        <translation>匹配的命令</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Composer</name>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="57"/>
        <source>Attach files (Ctrl+O)</source>
        <translation>添加附件 (Ctrl+O)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="58"/>
        <location filename="../../app/desktop/composer/composer.cpp" line="333"/>
        <source>Attach files</source>
        <translation>添加附件</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="63"/>
        <source>State of the message</source>
        <translation>消息状态</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="64"/>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="163"/>
        <source>Stop the answer (Esc)</source>
        <translation>停止回答 (Esc)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="163"/>
        <source>Send (Enter)</source>
        <translation>发送 (回车)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="164"/>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="164"/>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="274"/>
        <source>Something could not be read: take it out, or open it to try again.</source>
        <translation>有内容无法读取：请移除，或打开后重试。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="276"/>
        <source>Sends when everything has been read. Esc cancels.</source>
        <translation>全部读取后发送。按 Esc 取消。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="278"/>
        <source>Sends when the tokens are counted. Esc cancels.</source>
        <translation>词元计数后发送。按 Esc 取消。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="323"/>
        <source>Pasted text %1</source>
        <translation>粘贴的文字 %1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="328"/>
        <source>Pasted picture %1</source>
        <translation>粘贴的图片 %1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/composer.cpp" line="408"/>
        <source>Took out %1.</source>
        <translation>已移除 %1。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::ContextMeter</name>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="23"/>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="52"/>
        <source>%1 of %2 tokens</source>
        <translation>%1 / %2 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="58"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="60"/>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="61"/>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="62"/>
        <source>Clips</source>
        <translation>视频</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="63"/>
        <source>Markup of the format</source>
        <translation>格式标记</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="64"/>
        <source>Earlier messages</source>
        <translation>之前的消息</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="66"/>
        <source>%1 too many</source>
        <translation>超出 %1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/context_meter.cpp" line="68"/>
        <source>Room for the reply</source>
        <translation>为回答预留</translation>
    </message>
</context>
<context>
    <name>pal::desktop::Errors</name>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="13"/>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="15"/>
        <source>That is not possible</source>
        <translation>无法这样做</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="17"/>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="19"/>
        <source>The system refused</source>
        <translation>系统拒绝</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="21"/>
        <source>The file cannot be read</source>
        <translation>无法读取文件</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="23"/>
        <source>This version cannot do that</source>
        <translation>此版本不支持</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="25"/>
        <source>There is not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="27"/>
        <source>The device does not answer any more</source>
        <translation>设备不再响应</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="29"/>
        <source>Not now</source>
        <translation>现在不行</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="31"/>
        <source>Two things do not fit together</source>
        <translation>两者不匹配</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="33"/>
        <source>Stored data is damaged</source>
        <translation>存储的数据已损坏</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="37"/>
        <source>Something went wrong in the program</source>
        <translation>程序出错</translation>
    </message>
    <message>
        <location filename="../../app/desktop/bridge/error_text.cpp" line="43"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FindBar</name>
    <message>
        <location filename="../../app/desktop/frame/find_bar.cpp" line="16"/>
        <location filename="../../app/desktop/frame/find_bar.cpp" line="17"/>
        <source>Find in this session</source>
        <translation>在此会话中查找</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/find_bar.cpp" line="26"/>
        <source>Previous (Shift+Enter)</source>
        <translation>上一个 (Shift+Enter)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/find_bar.cpp" line="27"/>
        <source>Next (Enter)</source>
        <translation>下一个 (Enter)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/find_bar.cpp" line="28"/>
        <source>Close (Esc)</source>
        <translation>关闭 (Esc)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/find_bar.cpp" line="59"/>
        <source>searching…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/find_bar.cpp" line="59"/>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/find_bar.cpp" line="61"/>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FolderDialog</name>
    <message>
        <location filename="../../app/desktop/composer/folder_dialog.cpp" line="29"/>
        <source>Attach files of %1</source>
        <translation>添加 %1 中的文件</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/folder_dialog.cpp" line="31"/>
        <source>Files of the folder</source>
        <translation>文件夹中的文件</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/folder_dialog.cpp" line="35"/>
        <source>&amp;Attach</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/folder_dialog.cpp" line="36"/>
        <source>A&amp;ll</source>
        <translation>全部(&amp;L)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/folder_dialog.cpp" line="37"/>
        <source>&amp;None</source>
        <translation>无(&amp;N)</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/composer/folder_dialog.cpp" line="44"/>
        <source>Only the first %n file(s) are offered.</source>
        <translation>
            <numerusform>仅列出前 %n 个文件。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/composer/folder_dialog.cpp" line="49"/>
        <source>&amp;Attach %n file(s)</source>
        <translation>
            <numerusform>添加 %n 个文件(&amp;A)</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/folder_dialog.cpp" line="66"/>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::FrameStrip</name>
    <message>
        <location filename="../../app/desktop/composer/frame_strip.cpp" line="27"/>
        <source>Part of the clip</source>
        <translation>视频片段</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/frame_strip.cpp" line="34"/>
        <source>From %1 to %2 of %3</source>
        <translation>从 %1 到 %2，共 %3</translation>
    </message>
</context>
<context>
    <name>pal::desktop::HitList</name>
    <message>
        <location filename="../../app/desktop/sessions/hit_list.cpp" line="41"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InputEdit</name>
    <message>
        <location filename="../../app/desktop/composer/input_edit.cpp" line="25"/>
        <source>Ask something, or drop files here</source>
        <translation>提问，或将文件拖放到此处</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/input_edit.cpp" line="26"/>
        <source>Your message</source>
        <translation>您的消息</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/input_edit.cpp" line="27"/>
        <source>Enter sends, Shift+Enter begins a new line</source>
        <translation>回车发送，Shift+回车换行</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InspectDock</name>
    <message>
        <location filename="../../app/desktop/inspect/inspect_dock.cpp" line="9"/>
        <location filename="../../app/desktop/inspect/inspect_dock.cpp" line="34"/>
        <source>Look inside</source>
        <translation>查看内部</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InspectPanel</name>
    <message>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="61"/>
        <source>What is this?</source>
        <translation>这是什么？</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="64"/>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="154"/>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="84"/>
        <source>Picture, PNG, %1×</source>
        <translation>图片 PNG，%1×</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="87"/>
        <source>Drawing, SVG</source>
        <translation>矢量图 SVG</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="88"/>
        <source>Table, CSV</source>
        <translation>表格 CSV</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="89"/>
        <source>Data, JSON</source>
        <translation>数据 JSON</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="94"/>
        <source>In a window of its own</source>
        <translation>在独立窗口中</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/inspect_panel.cpp" line="137"/>
        <source>show</source>
        <translation>查看</translation>
    </message>
</context>
<context>
    <name>pal::desktop::LoadPlanText</name>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="58"/>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="60"/>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="62"/>
        <source>Latents of the context</source>
        <translation>上下文潜变量</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="64"/>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="68"/>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="75"/>
        <source>%1 needed; how much this device has is known when the model is loaded</source>
        <translation>需要 %1；该设备的容量在加载模型时可知</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="77"/>
        <source>%1 needed, %2 free: fits</source>
        <translation>需要 %1，可用 %2：足够</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="79"/>
        <source>%1 needed, %2 free: weights will be read from the disk again and again, which is slow</source>
        <translation>需要 %1，可用 %2：权重将反复从磁盘读取，速度较慢</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan.cpp" line="81"/>
        <source>%1 needed, %2 free: does not fit. A smaller context or half-size latents may.</source>
        <translation>需要 %1，可用 %2：不足。可尝试更小的上下文或半精度潜变量。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::LoadPlanView</name>
    <message>
        <location filename="../../app/desktop/models/load_plan_view.cpp" line="23"/>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/load_plan_view.cpp" line="95"/>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::MainWindow</name>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="96"/>
        <location filename="../../app/desktop/frame/main_window.cpp" line="292"/>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="125"/>
        <source>The session goes on before that message. Nothing is erased.</source>
        <translation>会话从该消息之前继续。没有删除任何内容。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="126"/>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="105"/>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="150"/>
        <source>Import sessions</source>
        <translation>导入会话</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="151"/>
        <source>Sessions of Palimpsest, ChatGPT, Open WebUI (*.palimpsest *.json *.zip);;All files (*)</source>
        <translation>Palimpsest、ChatGPT、Open WebUI 的会话 (*.palimpsest *.json *.zip);;所有文件 (*)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="184"/>
        <source>Diagnostics are in the clipboard. They hold no message; errors in them may name files.</source>
        <translation>诊断信息已复制到剪贴板，不含您的消息；其中的错误可能提到文件名。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="275"/>
        <source>Loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="293"/>
        <source>The model was not loaded: %1</source>
        <translation>模型未加载：%1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="294"/>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="299"/>
        <source>%1 on %2, context of %3 tokens</source>
        <translation>%1，运行于 %2，上下文 %3 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="336"/>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/main_window.cpp" line="401"/>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="27"/>
        <source>New session</source>
        <translation>新会话</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="30"/>
        <source>%1 – Palimpsest</source>
        <translation>%1 – Palimpsest</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="43"/>
        <source>The program ended while this answer was written. What it had said until then was saved.</source>
        <translation>写这个回答时程序意外结束。此前的内容已保存。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="44"/>
        <source>Answer again</source>
        <translation>重新回答</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="69"/>
        <source>Rename session</source>
        <translation>重命名会话</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="69"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="83"/>
        <source>Move to folder</source>
        <translation>移到文件夹</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="83"/>
        <source>Folder, an existing or a new one; empty for none</source>
        <translation>文件夹，已有或新建；留空表示无</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="92"/>
        <source>An answer is being written in this session. Stop it before you delete the session.</source>
        <translation>此会话正在生成回答。删除前请先停止。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="105"/>
        <source>“%1” is deleted for good when the program ends.</source>
        <translation>“%1”将在程序退出时彻底删除。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="119"/>
        <source>Export session</source>
        <translation>导出会话</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="120"/>
        <source>Archive with attachments (*.palimpsest);;JSON (*.json);;Markdown to read (*.md)</source>
        <translation>含附件的存档 (*.palimpsest);;JSON (*.json);;可读的 Markdown (*.md)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/session_commands.cpp" line="134"/>
        <source>Exported to %1</source>
        <translation>已导出到 %1</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/frame/session_commands.cpp" line="152"/>
        <source>%Ln sessions imported</source>
        <translation>
            <numerusform>已导入 %Ln 个会话</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pal::desktop::ModelDialog</name>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="43"/>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="44"/>
        <source>Model and runtime</source>
        <translation>模型与运行</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="51"/>
        <source>Embedded model (a small demonstration)</source>
        <translation>内置模型（小型演示）</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="54"/>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="55"/>
        <source>NVIDIA GPU</source>
        <translation>NVIDIA GPU</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="58"/>
        <source>one per core (%1)</source>
        <translation>每核一个（%1）</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="63"/>
        <source>all that the model allows</source>
        <translation>模型允许的最大值</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="65"/>
        <source>float32, as the model was checked</source>
        <translation>float32，与模型验证时一致</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="66"/>
        <source>bfloat16, half the size</source>
        <translation>bfloat16，占用减半</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="69"/>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="92"/>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="99"/>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="101"/>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="103"/>
        <source>&amp;Runs on</source>
        <translation>运行于(&amp;R)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="104"/>
        <source>&amp;Threads</source>
        <translation>线程(&amp;T)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="105"/>
        <source>&amp;Context, tokens</source>
        <translation>上下文，词元(&amp;C)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="106"/>
        <source>&amp;Latents</source>
        <translation>潜变量(&amp;L)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="107"/>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="109"/>
        <source>&amp;Disk for stored states, from the next start</source>
        <translation>状态所占磁盘，下次启动生效(&amp;D)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="110"/>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="154"/>
        <source>Sessions and attachments: %1</source>
        <translation>会话与附件：%1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="155"/>
        <source>Stored states: %1, %2 of %3</source>
        <translation>已存状态：%1，%2 / %3</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="166"/>
        <source>Folder of a model</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="181"/>
        <source>Reading the model&apos;s files…</source>
        <translation>正在读取模型文件…</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/models/model_dialog.cpp" line="202"/>
        <source>%1, %2 billion parameters, %3 in %n files</source>
        <translation>
            <numerusform>%1，%2 ×10⁹ 参数，%3，共 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="205"/>
        <source>%1 of %2 tokens of context, a state of %3</source>
        <translation>上下文 %1 / %2 个词元，状态 %3</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="228"/>
        <source>Memory of this machine, %1</source>
        <translation>本机内存，%1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/model_dialog.cpp" line="230"/>
        <source>Memory of the GPU</source>
        <translation>GPU 显存</translation>
    </message>
</context>
<context>
    <name>pal::desktop::NoticeBar</name>
    <message>
        <location filename="../../app/desktop/frame/notice_bar.cpp" line="25"/>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/notice_bar.cpp" line="26"/>
        <source>Close this notice</source>
        <translation>关闭此通知</translation>
    </message>
</context>
<context>
    <name>pal::desktop::PreviewPane</name>
    <message>
        <location filename="../../app/desktop/composer/preview_pane.cpp" line="28"/>
        <source>Parts that the model is given</source>
        <translation>提供给模型的部分</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/preview_pane.cpp" line="32"/>
        <source>Text as the model is given it</source>
        <translation>提供给模型的文字</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/preview_pane.cpp" line="34"/>
        <source>Picture as the model is given it</source>
        <translation>提供给模型的图片</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/preview_pane.cpp" line="85"/>
        <source>Decoding…</source>
        <translation>正在解码…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/preview_pane.cpp" line="109"/>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/preview_pane.cpp" line="111"/>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::RefusalBar</name>
    <message>
        <location filename="../../app/desktop/composer/refusal_bar.cpp" line="25"/>
        <source>Only page %1 of %2: %3 tokens less</source>
        <translation>只用 %2 的第 %1 页：少 %3 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/refusal_bar.cpp" line="28"/>
        <source>Only pages %1–%2 of %3: %4 tokens less</source>
        <translation>只用 %3 的第 %1–%2 页：少 %4 个词元</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/composer/refusal_bar.cpp" line="33"/>
        <source>Only %n frame(s) of %1: %2 tokens less</source>
        <translation>
            <numerusform>只用 %1 的 %n 帧：少 %2 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/refusal_bar.cpp" line="36"/>
        <source>A smaller %1: %2 tokens less</source>
        <translation>缩小 %1：少 %2 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/refusal_bar.cpp" line="40"/>
        <source>Without %1: %2 tokens less</source>
        <translation>去掉 %1：少 %2 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/refusal_bar.cpp" line="45"/>
        <source>Too long</source>
        <translation>过长</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/refusal_bar.cpp" line="79"/>
        <source>%1 tokens too many: this would take %2, the context holds %3 with the answer.</source>
        <translation>超出 %1 个词元：需要 %2 个，上下文连同回答可容纳 %3 个。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/composer/refusal_bar.cpp" line="92"/>
        <source>Shorten the text, take attachments out, or choose a larger context.</source>
        <translation>请缩短文字、移除附件或选择更大的上下文。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionLines</name>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="11"/>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="12"/>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="13"/>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="14"/>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="28"/>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="29"/>
        <source>%Ln tokens</source>
        <translation>
            <numerusform>%Ln 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="30"/>
        <source>%1 · opens at once</source>
        <translation>%1 · 立即打开</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="31"/>
        <source>%1 · opens in %2</source>
        <translation>%1 · %2后打开</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="32"/>
        <source>%1 · stored</source>
        <translation>%1 · 已保存</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="33"/>
        <source>%1 · to be read again, %2</source>
        <translation>%1 · 需重新读取，%2</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="34"/>
        <source>%1 · to be read again</source>
        <translation>%1 · 需重新读取</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="41"/>
        <source>%1 messages, %2 tokens</source>
        <translation>%1 条消息，%2 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="43"/>
        <source>%1 of stored state, %2 tokens to read</source>
        <translation>已存状态 %1，需读取 %2 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_lines.cpp" line="45"/>
        <source>Model: %1</source>
        <translation>模型：%1</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionPanel</name>
    <message>
        <location filename="../../app/desktop/sessions/session_panel.cpp" line="34"/>
        <location filename="../../app/desktop/sessions/session_panel.cpp" line="35"/>
        <source>Search all sessions</source>
        <translation>搜索所有会话</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_panel.cpp" line="42"/>
        <source>New session (Ctrl+N)</source>
        <translation>新会话 (Ctrl+N)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_panel.cpp" line="43"/>
        <source>New session</source>
        <translation>新会话</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_panel.cpp" line="58"/>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_panel.cpp" line="67"/>
        <source>Found sessions and messages</source>
        <translation>找到的会话和消息</translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_panel.cpp" line="69"/>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SessionTree</name>
    <message numerus="yes">
        <location filename="../../app/desktop/sessions/session_tree.cpp" line="294"/>
        <source>Folder %1, %Ln sessions</source>
        <translation>
            <numerusform>文件夹 %1，%Ln 个会话</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/sessions/session_tree.cpp" line="307"/>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SettingsDialog</name>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="46"/>
        <source>Think before answering</source>
        <translation>回答前先思考</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="51"/>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="54"/>
        <source>up to the context</source>
        <translation>直到上下文上限</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="55"/>
        <source>New sessions ask like this, too</source>
        <translation>新会话也这样提问</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="57"/>
        <source>How this session asks</source>
        <translation>此会话的提问方式</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="64"/>
        <source>What the model is told before the first question</source>
        <translation>在第一个问题之前告诉模型的内容</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="67"/>
        <source>not said</source>
        <translation>不指定</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="67"/>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="67"/>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="67"/>
        <source>as much as possible</source>
        <translation>尽可能多</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="70"/>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="71"/>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="72"/>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="81"/>
        <source>&amp;Preset</source>
        <translation>预设(&amp;P)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="82"/>
        <source>S&amp;ystem prompt</source>
        <translation>系统提示(&amp;Y)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="84"/>
        <source>&amp;Effort</source>
        <translation>投入(&amp;E)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="85"/>
        <source>&amp;Temperature</source>
        <translation>温度(&amp;T)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="86"/>
        <source>Top &amp;p</source>
        <translation>Top &amp;p</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="87"/>
        <source>Top &amp;k</source>
        <translation>Top &amp;k</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="88"/>
        <source>&amp;Min p</source>
        <translation>&amp;Min p</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="89"/>
        <source>&amp;Repetition penalty</source>
        <translation>重复惩罚(&amp;R)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="90"/>
        <source>&amp;Seed</source>
        <translation>种子(&amp;S)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="91"/>
        <source>&amp;Longest answer, tokens</source>
        <translation>最长回答，词元(&amp;L)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="102"/>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="125"/>
        <source>– as below –</source>
        <translation>– 如下 –</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="163"/>
        <source>Save preset</source>
        <translation>保存预设</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="163"/>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="171"/>
        <source>Import preset</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <location filename="../../app/desktop/models/settings_dialog.cpp" line="171"/>
        <source>Presets (*.json)</source>
        <translation>预设 (*.json)</translation>
    </message>
</context>
<context>
    <name>pal::desktop::SourceDialog</name>
    <message>
        <location filename="../../app/desktop/composer/source_dialog.cpp" line="13"/>
        <source>%1: what the model was given</source>
        <translation>%1：提供给模型的内容</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptFeed</name>
    <message>
        <location filename="../../app/desktop/frame/transcript_feed.cpp" line="91"/>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/transcript_feed.cpp" line="104"/>
        <source>Cut off: the program ended while this was written</source>
        <translation>已中断：书写时程序意外结束</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/transcript_feed.cpp" line="107"/>
        <source>Ended at the limit of tokens</source>
        <translation>已达词元上限</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/transcript_feed.cpp" line="109"/>
        <source>This message is damaged and cannot be read</source>
        <translation>此消息已损坏，无法读取</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptModel</name>
    <message>
        <location filename="../../app/desktop/transcript/transcript_model.cpp" line="172"/>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_model.cpp" line="174"/>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_model.cpp" line="178"/>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_model.cpp" line="185"/>
        <source>first token %1 s</source>
        <translation>首词元 %1 秒</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_model.cpp" line="186"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/transcript/transcript_model.cpp" line="187"/>
        <source>%n token(s) written</source>
        <translation>
            <numerusform>已写 %n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_model.cpp" line="189"/>
        <source>%1 tokens reused, %2 computed</source>
        <translation>复用 %1 个词元，计算 %2 个</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TranscriptView</name>
    <message>
        <location filename="../../app/desktop/transcript/transcript_input.cpp" line="255"/>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_input.cpp" line="256"/>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_input.cpp" line="259"/>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_view.cpp" line="27"/>
        <source>Transcript</source>
        <translation>对话记录</translation>
    </message>
    <message>
        <location filename="../../app/desktop/transcript/transcript_view.cpp" line="326"/>
        <source>version %1 of %2</source>
        <translation>版本 %1 / %2</translation>
    </message>
</context>
<context>
    <name>pal::desktop::TurnLine</name>
    <message>
        <location filename="../../app/desktop/chat/turn_line.cpp" line="22"/>
        <source>Reading %1 of %2 tokens</source>
        <translation>正在读取 %1 / %2 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/chat/turn_line.cpp" line="23"/>
        <source>%1 from stored states</source>
        <translation>%1 来自已存状态</translation>
    </message>
    <message>
        <location filename="../../app/desktop/chat/turn_line.cpp" line="25"/>
        <source>%1 tokens/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <location filename="../../app/desktop/chat/turn_line.cpp" line="27"/>
        <source>%1 s left</source>
        <translation>剩余 %1 秒</translation>
    </message>
    <message>
        <location filename="../../app/desktop/chat/turn_line.cpp" line="27"/>
        <source>%1 min left</source>
        <translation>剩余 %1 分钟</translation>
    </message>
    <message>
        <location filename="../../app/desktop/chat/turn_line.cpp" line="29"/>
        <source> · </source>
        <translation> · </translation>
    </message>
</context>
<context>
    <name>pal::desktop::TurnStrip</name>
    <message>
        <location filename="../../app/desktop/frame/turn_strip.cpp" line="46"/>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/turn_strip.cpp" line="53"/>
        <source>Stop (Esc); what is finished is kept</source>
        <translation>停止 (Esc)；已完成的部分会保留</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/turn_strip.cpp" line="54"/>
        <source>How much of the prompt is read</source>
        <translation>提示的读取进度</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/turn_strip.cpp" line="80"/>
        <source>In another session: %1</source>
        <translation>另一会话：%1</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/turn_strip.cpp" line="88"/>
        <source>Opening the stored state…</source>
        <translation>正在打开已存状态…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/turn_strip.cpp" line="88"/>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message numerus="yes">
        <location filename="../../app/desktop/frame/turn_strip.cpp" line="90"/>
        <source>%Ln tokens written</source>
        <translation>
            <numerusform>已写 %Ln 个词元</numerusform>
        </translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/turn_strip.cpp" line="93"/>
        <source>%1 · %2 tokens/s</source>
        <translation>%1 · %2 词元/秒</translation>
    </message>
</context>
<context>
    <name>pal::desktop::ViewControls</name>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="36"/>
        <source>&amp;Log</source>
        <translation>对数(&amp;L)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="37"/>
        <source>Hide &amp;first token</source>
        <translation>隐藏首个词元(&amp;F)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="42"/>
        <source>&amp;Busiest first</source>
        <translation>按负载排序(&amp;B)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="54"/>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="57"/>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="59"/>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="61"/>
        <source>all heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="62"/>
        <source>head </source>
        <translation>头 </translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="63"/>
        <source>Colours by powers of ten</source>
        <translation>按十的幂着色</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="64"/>
        <source>Leaves the first token out, which takes what heads do not need elsewhere</source>
        <translation>去掉吸收多余权重的首个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="67"/>
        <source>Share of the attention that is shown</source>
        <translation>显示的注意力比例</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="69"/>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="74"/>
        <source>View to compare</source>
        <translation>要比较的视图</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="77"/>
        <source>Longer than</source>
        <translation>长于</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="79"/>
        <source>&gt; %1 tokens</source>
        <translation>&gt; %1 个词元</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="127"/>
        <source>any layer</source>
        <translation>任意层</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="130"/>
        <source>layer %1 %2</source>
        <translation>层 %1 %2</translation>
    </message>
    <message>
        <location filename="../../app/desktop/inspect/view_controls.cpp" line="173"/>
        <source>%1 % of the mass</source>
        <translation>%1% 的权重</translation>
    </message>
</context>
<context>
    <name>pal::desktop::WelcomePane</name>
    <message>
        <location filename="../../app/desktop/welcome/welcome_pane.cpp" line="12"/>
        <source>Ask about documents, pictures and clips</source>
        <translation>就文档、图片和视频提问</translation>
    </message>
    <message>
        <location filename="../../app/desktop/welcome/welcome_pane.cpp" line="13"/>
        <source>Drop files here, paste them, or attach them with Ctrl+O.
What is read is kept, so that you can go on tomorrow.</source>
        <translation>将文件拖到这里、粘贴，或按 Ctrl+O 添加。
读过的内容会保留，明天可以继续。</translation>
    </message>
    <message>
        <location filename="../../app/desktop/welcome/welcome_pane.cpp" line="16"/>
        <source>Try all three, in about a minute</source>
        <translation>试试全部三个，约一分钟</translation>
    </message>
    <message>
        <location filename="../../app/desktop/welcome/welcome_pane.cpp" line="61"/>
        <source>The embedded model is a small demonstration and often wrong. It reads English and knows only what you give it.</source>
        <translation>内置模型只是一个小型演示，经常出错。它只能读英文，也只知道您提供给它的内容。</translation>
    </message>
</context>
<context>
    <name>pal::desktop::WindowActions</name>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="22"/>
        <source>&amp;Session</source>
        <translation>会话(&amp;S)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="23"/>
        <source>&amp;New session</source>
        <translation>新会话(&amp;N)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="24"/>
        <source>&amp;Attach files…</source>
        <translation>添加附件(&amp;A)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="26"/>
        <source>&amp;Rename…</source>
        <translation>重命名(&amp;R)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="27"/>
        <source>Move to &amp;folder…</source>
        <translation>移到文件夹(&amp;F)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="28"/>
        <source>&amp;How it asks…</source>
        <translation>提问方式(&amp;H)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="29"/>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="30"/>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="31"/>
        <source>&amp;Delete session</source>
        <translation>删除会话(&amp;D)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="33"/>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="34"/>
        <source>&amp;Message</source>
        <translation>消息(&amp;M)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="35"/>
        <source>&amp;Edit the last question</source>
        <translation>编辑上一个问题(&amp;E)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="36"/>
        <source>&amp;Answer again</source>
        <translation>重新回答(&amp;A)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="37"/>
        <source>&amp;Fork here</source>
        <translation>在此分支(&amp;F)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="38"/>
        <source>&amp;Previous version</source>
        <translation>上一版本(&amp;P)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="39"/>
        <source>&amp;Next version</source>
        <translation>下一版本(&amp;N)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="41"/>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="42"/>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="43"/>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="43"/>
        <source>&amp;Search all sessions</source>
        <translation>搜索所有会话(&amp;S)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="44"/>
        <source>&amp;Find in this session</source>
        <translation>在此会话中查找(&amp;F)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="45"/>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="46"/>
        <source>S&amp;essions at the side</source>
        <translation>侧边会话栏(&amp;E)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="47"/>
        <source>Look &amp;inside</source>
        <translation>查看内部(&amp;I)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="48"/>
        <source>Look inside in a &amp;window</source>
        <translation>在窗口中查看内部(&amp;W)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="49"/>
        <source>Next &amp;part of the window</source>
        <translation>窗口的下一部分(&amp;P)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="51"/>
        <source>&amp;Larger</source>
        <translation>放大(&amp;L)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="52"/>
        <source>&amp;Smaller</source>
        <translation>缩小(&amp;S)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="53"/>
        <source>&amp;Usual size</source>
        <translation>默认大小(&amp;U)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="55"/>
        <source>Light or dark as the &amp;system</source>
        <translation>明暗跟随系统(&amp;S)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="56"/>
        <source>L&amp;ight</source>
        <translation>浅色(&amp;I)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="57"/>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="58"/>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="59"/>
        <source>M&amp;odel</source>
        <translation>模型(&amp;O)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="59"/>
        <source>&amp;Model and runtime…</source>
        <translation>模型与运行(&amp;M)…</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="60"/>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="60"/>
        <source>&amp;Shortcuts</source>
        <translation>快捷键(&amp;S)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="61"/>
        <source>Copy &amp;diagnostics</source>
        <translation>复制诊断信息(&amp;D)</translation>
    </message>
    <message>
        <location filename="../../app/desktop/frame/window_actions.cpp" line="62"/>
        <source>&amp;About Palimpsest</source>
        <translation>关于 Palimpsest(&amp;A)</translation>
    </message>
</context>
</TS>
