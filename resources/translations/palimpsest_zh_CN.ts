<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Figure</name>
    <message>
        <source> A cell is the mean over {} tokens of the sum over {}.</source>
        <translation>每格为 {} 个词元上的均值，取自 {} 个词元之和。</translation>
    </message>
    <message>
        <source>, entropy {}</source>
        <translation>，熵 {}</translation>
    </message>
    <message>
        <source>, evenly spaced</source>
        <translation>，均匀抽取</translation>
    </message>
    <message>
        <source>, layer {}</source>
        <translation>，层 {}</translation>
    </message>
    <message>
        <source>, logits differ from the saved ones by at most {}</source>
        <translation>，logits 与保存值最多相差 {}</translation>
    </message>
    <message>
        <source>, then “{}” with {}</source>
        <translation>，其次“{}”为 {}</translation>
    </message>
    <message>
        <source>; captured live</source>
        <translation>；生成时记录</translation>
    </message>
    <message>
        <source>; captured live, in part computed again</source>
        <translation>；生成时记录，部分为重新计算</translation>
    </message>
    <message>
        <source>; computed again</source>
        <translation>；重新计算</translation>
    </message>
    <message>
        <source>A bar is one part of a layer; its pieces are the weights of the snapshots, oldest first, and of the running sum.</source>
        <translation>每个条是层的一个部分；其分段为各快照（从最早开始）与累计和的权重。</translation>
    </message>
    <message>
        <source>A bright cell is a part that this layer read from; choose it to open that page or frame.</source>
        <translation>亮格表示该层读取的部分；选择它可打开对应页面或画面。</translation>
    </message>
    <message>
        <source>A cell is one token of the picture; for clips the line below shows attention over time.</source>
        <translation>每格为图片的一个词元；对视频，下方曲线显示注意力随时间的变化。</translation>
    </message>
    <message>
        <source>A column is a layer, a row is something measured in it: how long it remembers, how much it wrote, how open its gate was, how spread its attention and its experts were.</source>
        <translation>每列为一层，每行为其中的一项测量：记忆多久、写入多少、门有多开、注意力与专家有多分散。</translation>
    </message>
    <message>
        <source>A delta attention layer forgets each channel of its memory at its own pace; shown is after how many tokens half is left.</source>
        <translation>增量注意力层以各自的速度遗忘每个记忆通道；这里显示多少词元后还剩一半。</translation>
    </message>
    <message>
        <source>A head with a shut gate adds nothing at that token, whatever it attended to.</source>
        <translation>门关闭的头在该词元处不产生贡献，无论它关注了什么。</translation>
    </message>
    <message>
        <source>A high Gini index means that few experts do most of the work; low entropy means that the router was sure.</source>
        <translation>基尼系数高说明少数专家承担大部分工作；熵低说明路由很确定。</translation>
    </message>
    <message>
        <source>A norm that levels off means that old content decays as fast as new content is written.</source>
        <translation>范数趋于平稳，说明旧内容衰减与新内容写入一样快。</translation>
    </message>
    <message>
        <source>A part that draws on early snapshots passes over what the layers between have added.</source>
        <translation>若某部分取自早期快照，则跳过了中间各层的贡献。</translation>
    </message>
    <message>
        <source>A positive weight adds the token&apos;s value to the output, a negative one takes it away.</source>
        <translation>正权重将该词元的值加入输出，负权重则减去。</translation>
    </message>
    <message>
        <source>A row is a token that looks, a column a token that is looked at, the colour the attention between them.</source>
        <translation>行为观看的词元，列为被观看的词元，颜色为两者间的注意力。</translation>
    </message>
    <message>
        <source>Above is how often each expert ran over the selection, below the experts of its first token with their weights.</source>
        <translation>上方为所选范围内每位专家运行的频率，下方为其首个词元的专家及权重。</translation>
    </message>
    <message>
        <source>Above is its norm over the session; below, for a computed window, the matrix itself and what the window changed in it.</source>
        <translation>上方为其范数随会话的变化；下方为已计算窗口的矩阵及窗口带来的变化。</translation>
    </message>
    <message>
        <source>All layers with attention</source>
        <translation>所有注意力层</translation>
    </message>
    <message>
        <source>Attention from token to token</source>
        <translation>词元间注意力</translation>
    </message>
    <message>
        <source>Attention from token to token, layer {}</source>
        <translation>词元间注意力，层 {}</translation>
    </message>
    <message>
        <source>Attention from token to token, mean over layers</source>
        <translation>词元间注意力，各层平均</translation>
    </message>
    <message>
        <source>Attention is the softmax weight of the MLA layers, summed over the tokens of a part; the first token of the session, which takes what heads do not need elsewhere, is shown apart.</source>
        <translation>注意力为 MLA 层的 softmax 权重，按部分内的词元求和；会话首个词元吸收各头无处可用的权重，单独显示。</translation>
    </message>
    <message>
        <source>Attention of the selected tokens on a picture, a page shown as picture or a frame, over the picture itself.</source>
        <translation>所选词元对图片、以图片显示的页面或画面的注意力，叠加在图片上。</translation>
    </message>
    <message>
        <source>Before a delta attention layer writes, it reads what the key recalls and writes only the difference.</source>
        <translation>增量注意力层写入前先读取键所回忆的内容，只写入差值。</translation>
    </message>
    <message>
        <source>Before each part of a layer the model mixes earlier states of its residual stream with softmax weights.</source>
        <translation>在层的每个部分之前，模型以 softmax 权重混合残差流的早期状态。</translation>
    </message>
    <message>
        <source>Before {} the likeliest token was “{}” with {}</source>
        <translation>在{}之前，最可能的词元是“{}”，概率 {}</translation>
    </message>
    <message>
        <source>Both have the same axes and the same colours; the difference is the second minus the first.</source>
        <translation>两者坐标与颜色相同；差值为第二个减第一个。</translation>
    </message>
    <message>
        <source>Bright cells are where the chosen layer and head looked, which need not be what decided the answer.</source>
        <translation>亮格为所选层与头观看之处，但未必决定了答案。</translation>
    </message>
    <message>
        <source>Bright tokens have large values; point at one to see what else the model might have written there.</source>
        <translation>越亮的词元值越大；指向它可看到模型原本还可能写什么。</translation>
    </message>
    <message>
        <source>Channels with a half-life above {} tokens</source>
        <translation>半衰期超过 {} 个词元的通道</translation>
    </message>
    <message>
        <source>Choose a second token or span: Alt with a click, or “Compare with”.</source>
        <translation>请选择第二个词元或范围：按住 Alt 点击。</translation>
    </message>
    <message>
        <source>Coloured text</source>
        <translation>着色文本</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Compute a window with all values of layer {} around this token to see its reads.</source>
        <translation>请以全部数值重新计算该词元附近的窗口（层 {}），以查看其读取。</translation>
    </message>
    <message>
        <source>Compute a window with all values to see single channels.</source>
        <translation>请以全部数值计算窗口，以查看单个通道。</translation>
    </message>
    <message>
        <source>Compute a window with all values to see the matrix of a head.</source>
        <translation>请以全部数值计算窗口，以查看头的矩阵。</translation>
    </message>
    <message>
        <source>Delta attention has no softmax, but its output is a sum over all earlier tokens with weights that follow from the recurrence; these weights are shown.</source>
        <translation>增量注意力没有 softmax，但其输出是对所有先前词元的加权和，权重由递推得出；此处显示这些权重。</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>深度</translation>
    </message>
    <message>
        <source>Each attention head multiplies its output by a gate between 0 and 1 per channel.</source>
        <translation>每个注意力头按通道将输出乘以 0 到 1 之间的门。</translation>
    </message>
    <message>
        <source>Each token by its own value; plain ones were not captured.</source>
        <translation>每个词元按其数值着色；未着色者没有记录。</translation>
    </message>
    <message>
        <source>Entropy of the weights</source>
        <translation>权重的熵</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Experts as the router chose them, with the weights that scale their outputs; the shared experts, which always run, are left out.</source>
        <translation>路由选择的专家及其输出权重；始终运行的共享专家未列出。</translation>
    </message>
    <message>
        <source>Experts of {}, best first</source>
        <translation>{}的专家，按优先排列</translation>
    </message>
    <message>
        <source>First: {}. Second: {}.</source>
        <translation>第一：{}。第二：{}。</translation>
    </message>
    <message>
        <source>For a computed window every weight is known and each row sums to 1; otherwise only the most attended tokens of each row were kept.</source>
        <translation>在已计算的窗口中所有权重已知，每行之和为 1；否则只保留每行最受关注的词元。</translation>
    </message>
    <message>
        <source>Frobenius norm over all heads after each token, with its smallest and largest value where a column holds several tokens.</source>
        <translation>每个词元之后所有头的 Frobenius 范数；一列含多个词元时附最小与最大值。</translation>
    </message>
    <message>
        <source>From which depth layers drew, {}</source>
        <translation>各层取自何种深度，{}</translation>
    </message>
    <message>
        <source>Gates</source>
        <translation>门</translation>
    </message>
    <message>
        <source>Gini index</source>
        <translation>基尼系数</translation>
    </message>
    <message>
        <source>Gini index of the load</source>
        <translation>负载的基尼系数</translation>
    </message>
    <message>
        <source>Head {} after the window</source>
        <translation>窗口之后的头 {}</translation>
    </message>
    <message>
        <source>Head {}: S before {} and after, computed again.</source>
        <translation>头 {}：{}之前与之后的 S，重新计算。</translation>
    </message>
    <message>
        <source>Head {}: length of each part over that of the read</source>
        <translation>头 {}：各部分长度与读取长度之比</translation>
    </message>
    <message>
        <source>Heads of layer {}</source>
        <translation>层 {} 的头</translation>
    </message>
    <message>
        <source>Heads with long half-lives can carry facts across a document, those with short ones only the last words.</source>
        <translation>半衰期长的头可跨文档保存事实，短的只能保存最近几个词。</translation>
    </message>
    <message>
        <source>How far a token&apos;s value was from what its key recalled, times β: what was new to the memory. Where a column holds several tokens, the largest.</source>
        <translation>词元的值与其键所回忆内容之差乘以 β：对记忆而言的新内容。一列含多个词元时取最大值。</translation>
    </message>
    <message>
        <source>How long delta attention remembers, at {}</source>
        <translation>增量注意力的记忆长度，{}</translation>
    </message>
    <message>
        <source>How long it remembers</source>
        <translation>记忆多久</translation>
    </message>
    <message>
        <source>How much attention the selected tokens paid to each page, file, frame and turn, layer by layer.</source>
        <translation>所选词元对每个页面、文件、画面与消息的注意力，逐层显示。</translation>
    </message>
    <message>
        <source>How open the output gates were, {}</source>
        <translation>输出门的开启程度，{}</translation>
    </message>
    <message>
        <source>In most layers a router sends each token to a few of many experts.</source>
        <translation>在多数层中，路由将每个词元送往众多专家中的少数几位。</translation>
    </message>
    <message>
        <source>It is ln 2 divided by minus the log decay that the layer chose at each token.</source>
        <translation>其值为 ln 2 除以该层在每个词元处选择的对数衰减的相反数。</translation>
    </message>
    <message>
        <source>Its memory</source>
        <translation>其记忆</translation>
    </message>
    <message>
        <source>Large values are tokens that told the memory something new; what was there before writes less when it comes again.</source>
        <translation>数值大的词元告诉了记忆新的内容；已经出现过的内容再次出现时写入较少。</translation>
    </message>
    <message>
        <source>Layer {} drew most on earlier depths: {} of its input came from snapshots.</source>
        <translation>层 {} 最多取自较早深度：其输入的 {} 来自快照。</translation>
    </message>
    <message>
        <source>Layer {}, head {}: every channel, over the window</source>
        <translation>层 {}，头 {}：窗口内的每个通道</translation>
    </message>
    <message>
        <source>Layer {}: 10 % to 90 % of a head&apos;s channels, and the median</source>
        <translation>层 {}：每个头通道的 10% 到 90% 及中位数</translation>
    </message>
    <message>
        <source>Layer {}: attention on the tokens of the picture that are among the most attended of each token, mean over heads; plain cells hold less.</source>
        <translation>层 {}：对图片中最受关注词元的注意力，对头取均值；空格更少。</translation>
    </message>
    <message>
        <source>Layer {}: effective write β‖v − Sᵀk‖ per head</source>
        <translation>层 {}：每个头的有效写入 β‖v − Sᵀk‖</translation>
    </message>
    <message>
        <source>Layer {}: mean openness over tokens</source>
        <translation>层 {}：各词元的平均开启度</translation>
    </message>
    <message>
        <source>Layer {}: norm of the state over tokens</source>
        <translation>层 {}：状态范数随词元变化</translation>
    </message>
    <message>
        <source>Layer {}: shares of channels</source>
        <translation>层 {}：通道占比</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>各层</translation>
    </message>
    <message>
        <source>Layers at {}</source>
        <translation>{}处的各层</translation>
    </message>
    <message>
        <source>Load: share of tokens that an expert ran for</source>
        <translation>负载：专家所处理词元的比例</translation>
    </message>
    <message>
        <source>Look for columns that stand out, and choose one to see that layer in the other views.</source>
        <translation>留意突出的列，选择后可在其他视图中查看该层。</translation>
    </message>
    <message>
        <source>Mean openness, all layers</source>
        <translation>平均开启度，所有层</translation>
    </message>
    <message>
        <source>Median over channels, all KDA layers</source>
        <translation>通道中位数，所有 KDA 层</translation>
    </message>
    <message>
        <source>Most surprising tokens</source>
        <translation>最意外的词元</translation>
    </message>
    <message>
        <source>Nothing was captured of {}. Compute this span again to see it.</source>
        <translation>没有{}的记录。请重新计算该范围以查看。</translation>
    </message>
    <message>
        <source>Of what was attached it looked most at {}: {} of all attention, and {} of that of layer {}, head {}.</source>
        <translation>在附件中它最关注 {0}：占全部注意力的 {1}，占层 {3} 头 {4} 注意力的 {2}。</translation>
    </message>
    <message>
        <source>On the picture</source>
        <translation>图片上</translation>
    </message>
    <message>
        <source>One view of two tokens, spans or branches, one above the other, and their difference.</source>
        <translation>对两个词元、范围或分支的同一视图，上下排列，并显示差值。</translation>
    </message>
    <message>
        <source>Over {}: {} of {} tokens read</source>
        <translation>范围 {}：读取 {} / {} 个词元</translation>
    </message>
    <message>
        <source>Per layer: mean over the tokens of what each row names. Every row has its own colours, from its smallest to its largest value.</source>
        <translation>每层：各行所示量对词元的均值。每行颜色独立，从最小值到最大值。</translation>
    </message>
    <message>
        <source>Red is where the second has more, blue where it has less.</source>
        <translation>红色表示第二个更多，蓝色表示更少。</translation>
    </message>
    <message>
        <source>Rows look at columns; only the most attended tokens of each row were kept, mean over heads.</source>
        <translation>行观看列；每行只保留最受关注的词元，对头取均值。</translation>
    </message>
    <message>
        <source>Shown is the mean over a head&apos;s channels, and how many of them are nearly shut or nearly open.</source>
        <translation>显示每个头各通道的均值，以及几乎关闭或几乎打开的比例。</translation>
    </message>
    <message>
        <source>Sigmoid of each channel&apos;s gate: 0 lets nothing of the attention&apos;s output through, 1 all. Shut is below 0.1, open above 0.9.</source>
        <translation>每个通道门的 sigmoid：0 全部阻断，1 全部通过。低于 0.1 为关，高于 0.9 为开。</translation>
    </message>
    <message>
        <source>Signed weights implied by the recurrence, which has no softmax; exact over the window, nothing is left out. Checked: with what is older they sum to the layer&apos;s own read within {}.</source>
        <translation>由递推得出的有符号权重（没有 softmax）；窗口内精确，无遗漏。已校验：连同更早部分，与该层读取之差不超过 {}。</translation>
    </message>
    <message>
        <source>Softmax weights over the snapshots of the residual stream and its running sum, mean over tokens. Checked: each row sums to 1 within {}.</source>
        <translation>残差流快照与累计和上的 softmax 权重，对词元取均值。已校验：每行之和与 1 之差不超过 {}。</translation>
    </message>
    <message>
        <source>Text by {}</source>
        <translation>文本着色：{}</translation>
    </message>
    <message>
        <source>The effective write is the length of that difference times the write strength β.</source>
        <translation>有效写入为该差值的长度乘以写入强度 β。</translation>
    </message>
    <message>
        <source>The largest write was at {}, in layer {}, head {}: {}, {} times the median of all heads here.</source>
        <translation>最大写入在{}，层 {}，头 {}：{}，为此处所有头中位数的 {} 倍。</translation>
    </message>
    <message>
        <source>The memory of a delta attention head is one matrix of fixed size, however long the text is.</source>
        <translation>增量注意力头的记忆是固定大小的矩阵，无论文本多长。</translation>
    </message>
    <message>
        <source>The number was measured while the token was read; tokens without colour were not looked at.</source>
        <translation>该数值在读取词元时测得；未着色的词元没有观察。</translation>
    </message>
    <message>
        <source>The state of delta attention, layer {}</source>
        <translation>增量注意力的状态，层 {}</translation>
    </message>
    <message>
        <source>The text of the session with each token tinted by one number.</source>
        <translation>会话文本，每个词元按一个数值着色。</translation>
    </message>
    <message>
        <source>The two have other rows or columns: nothing can be set side by side.</source>
        <translation>两者的行或列不同，无法并列。</translation>
    </message>
    <message>
        <source>There is no picture, page or clip before this token.</source>
        <translation>该词元之前没有图片、页面或视频。</translation>
    </message>
    <message>
        <source>There is no view “{}” to compare.</source>
        <translation>没有可比较的视图“{}”。</translation>
    </message>
    <message>
        <source>They are signed and do not sum to 1; what was written before the window is one bar, and the sum is checked against what the layer really read.</source>
        <translation>它们有正负，之和不为 1；窗口之前写入的内容为一个条，并与该层实际读取值校验。</translation>
    </message>
    <message>
        <source>This layer has no output gate.</source>
        <translation>该层没有输出门。</translation>
    </message>
    <message>
        <source>This model adds its layers up and chooses no depth.</source>
        <translation>该模型直接累加各层，不选择深度。</translation>
    </message>
    <message>
        <source>This model has no delta attention layer.</source>
        <translation>该模型没有增量注意力层。</translation>
    </message>
    <message>
        <source>This model has no experts.</source>
        <translation>该模型没有专家。</translation>
    </message>
    <message>
        <source>This model has no layer with attention.</source>
        <translation>该模型没有注意力层。</translation>
    </message>
    <message>
        <source>Token to token</source>
        <translation>词元到词元</translation>
    </message>
    <message>
        <source>Tokens until half of what a channel holds has decayed, ln 2 / −ln α; geometric mean over the tokens.</source>
        <translation>通道内容衰减一半所需的词元数，ln 2 / −ln α；对词元取几何均值。</translation>
    </message>
    <message>
        <source>Two compared</source>
        <translation>两者比较</translation>
    </message>
    <message>
        <source>Values are means over the selected tokens, and each row has its own scale because the rows have other units.</source>
        <translation>数值为所选词元的均值；各行单位不同，故各有刻度。</translation>
    </message>
    <message>
        <source>Vertical stripes are tokens that many others look at, a diagonal means looking at what came just before.</source>
        <translation>竖条为被许多词元观看的词元，对角线表示观看刚出现的内容。</translation>
    </message>
    <message>
        <source>Weight of each earlier token, per head</source>
        <translation>每个头对各先前词元的权重</translation>
    </message>
    <message>
        <source>What delta attention wrote, {}</source>
        <translation>增量注意力的写入，{}</translation>
    </message>
    <message>
        <source>What it recalled</source>
        <translation>回忆了什么</translation>
    </message>
    <message>
        <source>What it wrote</source>
        <translation>写入了什么</translation>
    </message>
    <message>
        <source>What layer {} recalled at {}</source>
        <translation>层 {} 在{}回忆的内容</translation>
    </message>
    <message>
        <source>What layer {}, head {} recalled at {} came most from {} (weight {}), and {} from before the window.</source>
        <translation>层 {} 头 {} 在{}回忆的内容主要来自{}（权重 {}），来自窗口之前的为 {}。</translation>
    </message>
    <message>
        <source>What the window changed</source>
        <translation>窗口带来的变化</translation>
    </message>
    <message>
        <source>What {} saw</source>
        <translation>{}所见</translation>
    </message>
    <message>
        <source>Where it looked</source>
        <translation>看向何处</translation>
    </message>
    <message>
        <source>Where {} looked</source>
        <translation>{}看向何处</translation>
    </message>
    <message>
        <source>Which experts ran, {}</source>
        <translation>运行的专家，{}</translation>
    </message>
    <message>
        <source>Window: {}; computed again.</source>
        <translation>窗口：{}；重新计算。</translation>
    </message>
    <message>
        <source>Write strength β: mean and spread over heads</source>
        <translation>写入强度 β：各头均值与范围</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>as lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>attention on the first token</source>
        <translation>对首个词元的注意力</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>before the output</source>
        <translation>输出之前</translation>
    </message>
    <message>
        <source>between</source>
        <translation>居中</translation>
    </message>
    <message>
        <source>channel {}</source>
        <translation>通道 {}</translation>
    </message>
    <message>
        <source>choice {}</source>
        <translation>第 {} 选</translation>
    </message>
    <message>
        <source>column {}</source>
        <translation>列 {}</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>effective write</source>
        <translation>有效写入</translation>
    </message>
    <message>
        <source>entropy of attention (nats)</source>
        <translation>注意力的熵（nats）</translation>
    </message>
    <message>
        <source>entropy of routing (nats)</source>
        <translation>路由的熵（nats）</translation>
    </message>
    <message>
        <source>entropy of the next token (nats)</source>
        <translation>下一词元的熵（nats）</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>expert {}</source>
        <translation>专家 {}</translation>
    </message>
    <message>
        <source>experts {}–{}</source>
        <translation>专家 {}–{}</translation>
    </message>
    <message>
        <source>experts, busiest first</source>
        <translation>专家，按负载排列</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>first: {}</source>
        <translation>第一：{}</translation>
    </message>
    <message>
        <source>from the largest on</source>
        <translation>从最大开始</translation>
    </message>
    <message>
        <source>half-life (tokens)</source>
        <translation>半衰期（词元）</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>head {}</source>
        <translation>头 {}</translation>
    </message>
    <message>
        <source>key channel</source>
        <translation>键通道</translation>
    </message>
    <message>
        <source>key channel {}</source>
        <translation>键通道 {}</translation>
    </message>
    <message>
        <source>layer (K: delta attention, M: latent attention)</source>
        <translation>层（K：增量注意力，M：潜在注意力）</translation>
    </message>
    <message>
        <source>Mean over all layers with attention, {}: attention on each token of the picture, every token known.</source>
        <translation>对所有注意力层取均值，{}：对图片每个词元的注意力，全部已知。</translation>
    </message>
    <message>
        <source>Mean over all layers with attention: attention on the tokens of the picture that are among the most attended of each token, mean over heads; plain cells hold less.</source>
        <translation>对所有注意力层取均值：对图片中最受关注词元的注意力，对头取均值；空格更少。</translation>
    </message>
    <message>
        <source>mean over layers</source>
        <translation>对层取均值</translation>
    </message>
    <message>
        <source>layer {}</source>
        <translation>层 {}</translation>
    </message>
    <message>
        <source>layer {} ({})</source>
        <translation>层 {}（{}）</translation>
    </message>
    <message>
        <source>layer {}, attention</source>
        <translation>层 {}，注意力</translation>
    </message>
    <message>
        <source>layer {}, feed-forward</source>
        <translation>层 {}，前馈</translation>
    </message>
    <message>
        <source>layer {}, head {}</source>
        <translation>层 {}，头 {}</translation>
    </message>
    <message>
        <source>likely here:</source>
        <translation>此处可能：</translation>
    </message>
    <message>
        <source>markup</source>
        <translation>标记</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>mean of all</source>
        <translation>总均值</translation>
    </message>
    <message>
        <source>message {}</source>
        <translation>消息 {}</translation>
    </message>
    <message>
        <source>norm of the state</source>
        <translation>状态范数</translation>
    </message>
    <message>
        <source>older</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>older than the window</source>
        <translation>早于窗口</translation>
    </message>
    <message>
        <source>open</source>
        <translation>开</translation>
    </message>
    <message>
        <source>openness</source>
        <translation>开启度</translation>
    </message>
    <message>
        <source>out</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>output gate</source>
        <translation>输出门</translation>
    </message>
    <message>
        <source>p. {}</source>
        <translation>第{}页</translation>
    </message>
    <message>
        <source>part of the context</source>
        <translation>上下文的部分</translation>
    </message>
    <message>
        <source>place {}</source>
        <translation>第 {} 位</translation>
    </message>
    <message>
        <source>row {}</source>
        <translation>行 {}</translation>
    </message>
    <message>
        <source>running sum</source>
        <translation>累计和</translation>
    </message>
    <message>
        <source>second minus first</source>
        <translation>第二减第一</translation>
    </message>
    <message>
        <source>second: {}</source>
        <translation>第二：{}</translation>
    </message>
    <message>
        <source>share of channels</source>
        <translation>通道占比</translation>
    </message>
    <message>
        <source>share of the read</source>
        <translation>读取占比</translation>
    </message>
    <message>
        <source>share of tokens</source>
        <translation>词元占比</translation>
    </message>
    <message>
        <source>shut</source>
        <translation>关</translation>
    </message>
    <message>
        <source>singular value</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>snapshot {}</source>
        <translation>快照 {}</translation>
    </message>
    <message>
        <source>the expert at place {} of its layer</source>
        <translation>该层第 {} 位专家</translation>
    </message>
    <message>
        <source>this answer</source>
        <translation>本回答</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>“{}” {}</source>
        <translation>“{}” {}</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>token that was looked at</source>
        <translation>被观看的词元</translation>
    </message>
    <message>
        <source>token that was written</source>
        <translation>写入的词元</translation>
    </message>
    <message>
        <source>token {}</source>
        <translation>词元 {}</translation>
    </message>
    <message>
        <source>token {} “{}”</source>
        <translation>词元 {}“{}”</translation>
    </message>
    <message>
        <source>tokens {}–{}</source>
        <translation>词元 {}–{}</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>value channel {}</source>
        <translation>值通道 {}</translation>
    </message>
    <message>
        <source>value of S</source>
        <translation>S 的值</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>write strength β</source>
        <translation>写入强度 β</translation>
    </message>
    <message>
        <source>{} att</source>
        <translation>{} 注</translation>
    </message>
    <message>
        <source>{} ffn</source>
        <translation>{} 前</translation>
    </message>
    <message>
        <source>{} neighbouring parts to a column.</source>
        <translation>每列含 {} 个相邻部分。</translation>
    </message>
    <message>
        <source>{} to {}</source>
        <translation>{} 至 {}</translation>
    </message>
    <message>
        <source>{}, page {}</source>
        <translation>{}，第 {} 页</translation>
    </message>
    <message>
        <source>{}, page {}, picture</source>
        <translation>{}，第 {} 页，图片</translation>
    </message>
    <message>
        <source>{}, {} s</source>
        <translation>{}，{} 秒</translation>
    </message>
    <message>
        <source>−log p of the likeliest next token (nats)</source>
        <translation>最可能下一词元的 −log p（nats）</translation>
    </message>
    <message>
        <source>A map per layer and head: attention mass of {} rows of tokens on {} columns of parts of the context, without the first token.</source>
        <translation>每层每个头一张小图：{} 行词元对 {} 列上下文部分的注意力，不含首个词元。</translation>
    </message>
    <message>
        <source>A map per layer and head: attention mass of {} rows of tokens on {} columns of parts of the context, without the first token, the rest made to sum to 1.</source>
        <translation>每层每个头一张小图：{} 行词元对 {} 列上下文部分的注意力，不含首个词元，其余归一化为 1。</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>All heads, {}</source>
        <translation>所有头，{}</translation>
    </message>
    <message>
        <source>Attention mass per part of the context, mean over tokens; upper map: {}. With the first token, shown apart, each row sums to 1.</source>
        <translation>上下文各部分的注意力，按词元取平均，上图为{}；连同单独显示的首个词元，每行之和为 1。</translation>
    </message>
    <message>
        <source>Attention mass per part of the context, mean over tokens; upper map: {}. Without the first token, the rest made to sum to 1.</source>
        <translation>上下文各部分的注意力，按词元取平均，上图为{}；不含首个词元，其余归一化为 1。</translation>
    </message>
    <message>
        <source>Attention per time of the clip, {}</source>
        <translation>视频各时刻的注意力，{}</translation>
    </message>
    <message>
        <source>Every head of every layer with attention as one small map: the selected tokens from top to bottom, the parts of the context from left to right.</source>
        <translation>每个注意力层的每个头各为一张小图：所选词元从上到下，上下文各部分从左到右。</translation>
    </message>
    <message>
        <source>It is the attention mass of “Where it looked”, with neighbouring tokens and parts joined so that all heads fit.</source>
        <translation>这与“看向何处”中的注意力相同，只是合并了相邻的词元和部分，以便容纳所有头。</translation>
    </message>
    <message>
        <source>Layer {}, {}: attention on each token of the picture, every token known.</source>
        <translation>层 {}，{}：对图片每个词元的注意力，全部已知。</translation>
    </message>
    <message>
        <source>Look for a map that differs from its neighbours, and choose it to see that head in the other views.</source>
        <translation>找出与相邻小图不同的一张，点选后即可在其他视图中查看该头。</translation>
    </message>
    <message>
        <source>Rows look at columns; all of the attention of each row, {}.</source>
        <translation>行看向列；每行的全部注意力，{}。</translation>
    </message>
    <message>
        <source>The means are over all of these tokens, from bins.</source>
        <translation>均值涵盖所有这些词元，取自分段统计。</translation>
    </message>
    <message>
        <source>Too many cells for single shapes: heat images are embedded as PNG.</source>
        <translation>单元格过多，无法逐个绘制：热图以 PNG 嵌入。</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>各头平均</translation>
    </message>
    <message>
        <source> A column is the sum over {} tokens.</source>
        <translation>每列为 {} 个词元之和。</translation>
    </message>
    <message>
        <source> A row is the mean over {} tokens.</source>
        <translation>每行为 {} 个词元的均值。</translation>
    </message>
    <message>
        <source>Effective rank of head {}: {} before, {} after.</source>
        <translation>头 {} 的有效秩：之前 {}，之后 {}。</translation>
    </message>
    <message>
        <source>Over {}</source>
        <translation>范围：{}</translation>
    </message>
    <message>
        <source>Singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>sink (first token)</source>
        <translation>汇（首个词元）</translation>
    </message>
    <message>
        <source>{}.</source>
        <translation>{}。</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}，{}</translation>
    </message>
</context>
<context>
    <name>PlainWords</name>
    <message>
        <source>%1, page %2: %3</source>
        <translation>%1，第 %2 页：%3</translation>
    </message>
    <message>
        <source>page %1 is damaged and cannot be drawn</source>
        <translation>第 %1 页已损坏，无法绘制</translation>
    </message>
    <message>
        <source>has no text, and this model cannot see</source>
        <translation>没有文字，而此模型不能看图</translation>
    </message>
    <message>
        <source>has pictures beside its text, and this model cannot see</source>
        <translation>文字之外还有图片，而此模型不能看图</translation>
    </message>
    <message>
        <source>has no text; shown as a picture it would take %1 tokens</source>
        <translation>没有文字；以图片显示需要 %1 个词元</translation>
    </message>
    <message>
        <source>has no text; shown as %1 pictures it would take %2 tokens</source>
        <translation>没有文字；以 %1 张图片显示需要 %2 个词元</translation>
    </message>
    <message>
        <source>has pictures beside its text; shown as a picture it would take %1 tokens</source>
        <translation>文字之外还有图片；以图片显示需要 %1 个词元</translation>
    </message>
    <message>
        <source>has pictures beside its text; shown as %1 pictures it would take %2 tokens</source>
        <translation>文字之外还有图片；以 %1 张图片显示需要 %2 个词元</translation>
    </message>
    <message>
        <source>its pictures cannot be shown: %1</source>
        <translation>其中的图片无法显示：%1</translation>
    </message>
    <message>
        <source>%1 of its %2 pictures are not in the file or come twice</source>
        <translation>其 %2 张图片中有 %1 张不在文件中或重复出现</translation>
    </message>
    <message>
        <source>nothing but pictures, no text; its image has %1 × %2 pixels</source>
        <translation>只有图片，没有文字；页面图像为 %1 × %2 像素</translation>
    </message>
    <message>
        <source>a picture or drawing beside the text covers %1 % of the page; its image has %2 × %3 pixels</source>
        <translation>文字之外的一张图片或图形占页面的 %1 %；页面图像为 %2 × %3 像素</translation>
    </message>
    <message>
        <source>pictures or drawings beside the text cover %1 % of the page; its image has %2 × %3 pixels</source>
        <translation>文字之外的图片或图形占页面的 %1 %；页面图像为 %2 × %3 像素</translation>
    </message>
    <message>
        <source>parts may be missing: a place of the page is damaged (%2)</source>
        <translation>可能缺少部分内容：页面有一处损坏（%2）</translation>
    </message>
    <message>
        <source>parts may be missing: %1 places of the page are damaged, the first: %2</source>
        <translation>可能缺少部分内容：页面有 %1 处损坏，第一处：%2</translation>
    </message>
    <message>
        <source>nothing but a picture, no text</source>
        <translation>只有一张图片，没有文字</translation>
    </message>
    <message>
        <source>nothing but %1 pictures, no text</source>
        <translation>只有 %1 张图片，没有文字</translation>
    </message>
    <message>
        <source>a picture is not in the text</source>
        <translation>有一张图片不在文字中</translation>
    </message>
    <message>
        <source>%1 pictures are not in the text</source>
        <translation>有 %1 张图片不在文字中</translation>
    </message>
    <message>
        <source>a comment is not in the text</source>
        <translation>有一条批注不在文字中</translation>
    </message>
    <message>
        <source>%1 comments are not in the text</source>
        <translation>有 %1 条批注不在文字中</translation>
    </message>
    <message>
        <source>%1 places are no %2; replaced by �</source>
        <translation>有 %1 处不是 %2；已替换为 �</translation>
    </message>
    <message>
        <source>a place, at byte %2, is no %1; replaced by �</source>
        <translation>有一处（第 %2 字节）不是 %1；已替换为 �</translation>
    </message>
    <message>
        <source>%1 places are no %2, the first at byte %3; replaced by �</source>
        <translation>有 %1 处不是 %2，第一处在第 %3 字节；已替换为 �</translation>
    </message>
    <message>
        <source>the page shows no text of its own (a program would have to fill it)</source>
        <translation>该页面自身没有文字（需要由程序填充）</translation>
    </message>
    <message>
        <source>the encoding %1 was guessed from the text; the file does not name one</source>
        <translation>编码 %1 是根据文本猜测的；文件未注明编码</translation>
    </message>
    <message>
        <source>the picture “%1” is not in the file</source>
        <translation>图片“%1”不在文件中</translation>
    </message>
    <message>
        <source>the chapter “%1” is named by the book but not in it</source>
        <translation>书中列出了章节“%1”，但其中没有该章节</translation>
    </message>
    <message>
        <source>the page is damaged and cannot be read</source>
        <translation>该页已损坏，无法读取</translation>
    </message>
    <message>
        <source>read without every protection: %1</source>
        <translation>读取时未启用全部保护：%1</translation>
    </message>
    <message>
        <source>%1 characters have no known meaning beside %2 that have one; the page&apos;s image shows them</source>
        <translation>%1 个字符含义不明，另有 %2 个可识别；页面图像会显示它们</translation>
    </message>
    <message>
        <source>the text looks garbled, most of it is rare letters and signs; the page&apos;s image shows it</source>
        <translation>文字似乎是乱码，大多是罕见的字母和符号；页面图像会显示原样</translation>
    </message>
    <message>
        <source>a frame is damaged or without a time and is left out</source>
        <translation>有一帧损坏或没有时间，已略去</translation>
    </message>
    <message>
        <source>%1 frames are damaged or without a time and are left out</source>
        <translation>有 %1 帧损坏或没有时间，已略去</translation>
    </message>
    <message>
        <source>reading stopped early: %1</source>
        <translation>读取提前结束：%1</translation>
    </message>
    <message>
        <source>the file ends early: it promises %1 s, its frames end at %2 s</source>
        <translation>文件提前结束：应有 %1 秒，画面止于 %2 秒</translation>
    </message>
    <message>
        <source>the file ends early: %1 of the %2 frames that it lists are there</source>
        <translation>文件提前结束：所列的 %2 帧中只有 %1 帧</translation>
    </message>
    <message>
        <source>this model cannot see</source>
        <translation>此模型不能看图</translation>
    </message>
    <message>
        <source>this model knows no clips</source>
        <translation>此模型不支持视频</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>a folder; attach the files in it</source>
        <translation>这是文件夹；请添加其中的文件</translation>
    </message>
    <message>
        <source>this is no file that can be read</source>
        <translation>这不是可以读取的文件</translation>
    </message>
    <message>
        <source>no text, document, picture or clip of a known kind</source>
        <translation>不是已知类型的文本、文档、图片或视频</translation>
    </message>
    <message>
        <source>no document that can be read: %1</source>
        <translation>不是可以读取的文档：%1</translation>
    </message>
    <message>
        <source>damaged or cut short (%1)</source>
        <translation>已损坏或不完整（%1）</translation>
    </message>
    <message>
        <source>a PDF that is damaged or cut off (%1)</source>
        <translation>PDF 已损坏或不完整（%1）</translation>
    </message>
    <message>
        <source>a PDF without pages: it is damaged or cut off</source>
        <translation>PDF 没有页面：已损坏或不完整</translation>
    </message>
    <message>
        <source>damaged or cut off (%1)</source>
        <translation>已损坏或不完整（%1）</translation>
    </message>
    <message>
        <source>damaged or no document (“%1” is not in it)</source>
        <translation>已损坏或不是文档（其中没有“%1”）</translation>
    </message>
    <message>
        <source>damaged (%1: %2)</source>
        <translation>已损坏（%1：%2）</translation>
    </message>
    <message>
        <source>locked with a password</source>
        <translation>已用密码锁定</translation>
    </message>
    <message>
        <source>named %1, but it is damaged or something else</source>
        <translation>名为 %1，但已损坏或是其他类型的文件</translation>
    </message>
    <message>
        <source>an OpenDocument text locked with a password; save it without one</source>
        <translation>带密码的 OpenDocument 文本；请不设密码另存</translation>
    </message>
    <message>
        <source>the book is copy-protected</source>
        <translation>该书受版权保护，无法读取</translation>
    </message>
    <message>
        <source>no text: %1 of its %2 characters are control characters</source>
        <translation>不是文本：%2 个字符中有 %1 个是控制字符</translation>
    </message>
    <message>
        <source>%1 bytes; documents of up to %2 bytes are read</source>
        <translation>%1 字节；最多读取 %2 字节的文档</translation>
    </message>
    <message>
        <source>%1 bytes of text; up to %2 are read</source>
        <translation>%1 字节文本；最多读取 %2 字节</translation>
    </message>
    <message>
        <source>more than %1 bytes of text</source>
        <translation>文本超过 %1 字节</translation>
    </message>
    <message>
        <source>not read after %1 s, so it was given up</source>
        <translation>%1 秒后仍未读完，已放弃</translation>
    </message>
    <message>
        <source>no progress for %1 s, so it was given up</source>
        <translation>%1 秒没有进展，已放弃</translation>
    </message>
    <message>
        <source>there is no video in it</source>
        <translation>其中没有视频</translation>
    </message>
    <message>
        <source>no frame of it can be shown</source>
        <translation>其中没有可显示的画面</translation>
    </message>
    <message>
        <source>no frame of it can be shown (%1)</source>
        <translation>其中没有可显示的画面（%1）</translation>
    </message>
    <message>
        <source>there is not enough memory for it</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>a sound file</source>
        <translation>声音文件</translation>
    </message>
    <message>
        <source>a sound or video file</source>
        <translation>声音或视频文件</translation>
    </message>
    <message>
        <source>a program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>a database</source>
        <translation>数据库</translation>
    </message>
    <message>
        <source>an old Microsoft Office document or a locked one; save it as .docx without a password, or as PDF</source>
        <translation>旧版或加锁的 Microsoft Office 文档；请不设密码另存为 .docx 或 PDF</translation>
    </message>
    <message>
        <source>an RTF document; save it as .docx or PDF</source>
        <translation>RTF 文档；请另存为 .docx 或 PDF</translation>
    </message>
    <message>
        <source>a PostScript file; convert it to PDF</source>
        <translation>PostScript 文件；请转换为 PDF</translation>
    </message>
    <message>
        <source>an archive; unpack it first</source>
        <translation>压缩包；请先解压</translation>
    </message>
    <message>
        <source>The program did not come to its end last time; the sessions (%1) were checked and are sound</source>
        <translation>程序上次未正常结束；会话（%1）已检查，完好无损</translation>
    </message>
    <message>
        <source>The sessions&apos; file %1 was brought to a newer form (%2 to %3); a copy of the old one is %4</source>
        <translation>会话文件 %1 已更新为新格式（%2 到 %3）；旧文件的副本为 %4</translation>
    </message>
    <message>
        <source>%1 was written by a newer program, so the sessions can be read but not changed</source>
        <translation>%1 由更新版本的程序写入；会话可以读取，但不能更改</translation>
    </message>
    <message>
        <source>%1 is on a network file system; locks and databases are not reliable there</source>
        <translation>%1 位于网络文件系统；锁和数据库在那里不可靠</translation>
    </message>
    <message>
        <source>%1 is damaged; the command `pal sessions salvage` saves what can be read (%2)</source>
        <translation>%1 已损坏；命令 `pal sessions salvage` 可抢救能读取的内容（%2）</translation>
    </message>
    <message>
        <source>%1 is in use by another program: %2</source>
        <translation>%1 正被另一程序使用：%2</translation>
    </message>
    <message>
        <source>Sessions are read again from their text: %1</source>
        <translation>会话将从文本重新读取：%1</translation>
    </message>
    <message>
        <source>What models do is not kept: %1</source>
        <translation>模型的内部数据不会保存：%1</translation>
    </message>
    <message>
        <source>A copy that helps against damage of the sessions&apos; file was not written: %1</source>
        <translation>用于修复会话文件的副本未能写入：%1</translation>
    </message>
    <message>
        <source>an answer is being written</source>
        <translation>正在写回答</translation>
    </message>
    <message>
        <source>no model is loaded</source>
        <translation>没有加载模型</translation>
    </message>
    <message>
        <source>the data folder is not open</source>
        <translation>数据文件夹未打开</translation>
    </message>
    <message>
        <source>the sessions are not open</source>
        <translation>会话未打开</translation>
    </message>
    <message>
        <source>too much waits to be done</source>
        <translation>等待处理的任务太多</translation>
    </message>
    <message>
        <source>a part of a session is computed again; stop that first</source>
        <translation>正在重新计算会话的一部分；请先停止</translation>
    </message>
    <message>
        <source>the question that you write again is on another branch; show that first</source>
        <translation>您正在改写的问题在另一分支上；请先显示该分支</translation>
    </message>
    <message>
        <source>it is not there (any more)</source>
        <translation>它不存在（或已不在）</translation>
    </message>
    <message>
        <source>you may not read or write it</source>
        <translation>您无权读取或写入</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>the disk is full, as far as it is yours</source>
        <translation>您的磁盘配额已满</translation>
    </message>
    <message>
        <source>the disk may only be read</source>
        <translation>磁盘为只读</translation>
    </message>
    <message>
        <source>it may only be read</source>
        <translation>只能读取</translation>
    </message>
    <message>
        <source>the sessions&apos; file cannot be opened</source>
        <translation>会话文件无法打开</translation>
    </message>
    <message>
        <source>the disk does not answer or is damaged</source>
        <translation>磁盘没有响应或已损坏</translation>
    </message>
    <message>
        <source>the disk is not there any more</source>
        <translation>磁盘已不在</translation>
    </message>
    <message>
        <source>the name is too long</source>
        <translation>名称太长</translation>
    </message>
    <message>
        <source>too many files are open</source>
        <translation>打开的文件太多</translation>
    </message>
</context>
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
        <source>%1: %Ln frame(s), %2 tokens</source>
        <translation>
            <numerusform>%1：%Ln 帧，%2 个词元</numerusform>
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
    <message>
        <source>%1, part %2 of %3</source>
        <translation>%1，第 %2 部分，共 %3 部分</translation>
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
    <message>
        <source>Licences</source>
        <translation>许可</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDelegate</name>
    <message>
        <source> · %1 tokens</source>
        <translation> · %1 个词元</translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln 条警告</numerusform>
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
        <source>%1 × %2 pixels, %Ln token(s)</source>
        <translation>
            <numerusform>%1 × %2 像素，%Ln 个词元</numerusform>
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
    <message>
        <source>&amp;Give the password…</source>
        <translation>输入密码(&amp;G)…</translation>
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
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln 页</numerusform>
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
    <message>
        <source>Locked: open it to give the password</source>
        <translation>已加密：打开以输入密码</translation>
    </message>
    <message>
        <source>Locked with another password: open it to try again</source>
        <translation>密码不正确：打开以重试</translation>
    </message>
</context>
<context>
    <name>pal::desktop::CaptureBar</name>
    <message>
        <source>Compute the selection again…</source>
        <translation>重新计算所选范围…</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>What is captured of answers</source>
        <translation>回答时记录的内容</translation>
    </message>
    <message>
        <source>Capture nothing</source>
        <translation>不记录</translation>
    </message>
    <message>
        <source>Capture a summary</source>
        <translation>记录摘要</translation>
    </message>
    <message>
        <source>What is computed again</source>
        <translation>重新计算的内容</translation>
    </message>
    <message>
        <source>Window: summaries</source>
        <translation>窗口：摘要</translation>
    </message>
    <message>
        <source>Full: every value of the layer</source>
        <translation>完整：该层全部数值</translation>
    </message>
    <message>
        <source>Computed tokens</source>
        <translation>已计算词元</translation>
    </message>
    <message>
        <source>Reads %1 tokens again, keeps %2</source>
        <translation>重读 %1 个词元，保留 %2</translation>
    </message>
    <message>
        <source>, about %1 s</source>
        <translation>，约 %1 秒</translation>
    </message>
    <message>
        <source>%1 per token</source>
        <translation>每词元 %1</translation>
    </message>
    <message>
        <source>its time is measured once answers were written with and without</source>
        <translation>分别在记录与不记录时生成回答后即可测得耗时</translation>
    </message>
    <message>
        <source>%1 % more time per token</source>
        <translation>每词元耗时增加 %1%</translation>
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
    <message>
        <source>A session&apos;s first message goes with the session. Ctrl+Shift+Backspace deletes that.</source>
        <translation>第一条消息只能随会话一起删除。Ctrl+Shift+Backspace 删除会话。</translation>
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
    <message>
        <source>No model is loaded: Ctrl+, chooses one.</source>
        <translation>尚未加载模型：按 Ctrl+, 选择一个。</translation>
    </message>
    <message>
        <source>An answer is being written: Esc stops it.</source>
        <translation>正在写回答：按 Esc 停止。</translation>
    </message>
    <message>
        <source>Locked PDF</source>
        <translation>加密的 PDF</translation>
    </message>
    <message>
        <source>Password (it is not stored):</source>
        <translation>密码（不会保存）：</translation>
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
    <name>pal::desktop::FigureWidget</name>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Nothing is shown yet</source>
        <translation>尚无内容</translation>
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
        <source>Only the first %Ln file(s) are offered.</source>
        <translation>
            <numerusform>仅列出前 %Ln 个文件。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Attach %Ln file(s)</source>
        <translation>
            <numerusform>添加 %Ln 个文件(&amp;A)</numerusform>
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
    <name>pal::desktop::InspectDock</name>
    <message>
        <source>Look inside</source>
        <translation>查看内部</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InspectFeed</name>
    <message>
        <source>with version %1 of %2 of message %3</source>
        <translation>与第 %3 条消息的版本 %1（共 %2）</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InspectPanel</name>
    <message>
        <source>What is this?</source>
        <translation>这是什么？</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Picture, PNG, %1×</source>
        <translation>图片 PNG，%1×</translation>
    </message>
    <message>
        <source>Drawing, SVG</source>
        <translation>矢量图 SVG</translation>
    </message>
    <message>
        <source>Table, CSV</source>
        <translation>表格 CSV</translation>
    </message>
    <message>
        <source>Data, JSON</source>
        <translation>数据 JSON</translation>
    </message>
    <message>
        <source>In a window of its own</source>
        <translation>在独立窗口中</translation>
    </message>
    <message>
        <source>show</source>
        <translation>查看</translation>
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
        <source>Planned for %1 tokens of context</source>
        <translation>按 %1 个词元的上下文规划</translation>
    </message>
    <message>
        <source>Room for experts from RAM</source>
        <translation>为内存中的专家预留的空间</translation>
    </message>
    <message>
        <source>The experts of %1 of %2 layers, %3, stay in RAM</source>
        <translation>%2 层中有 %1 层的专家（%3）留在内存中</translation>
    </message>
    <message>
        <source>At most %1 tokens per second</source>
        <translation>每秒最多 %1 个词元</translation>
    </message>
    <message>
        <source>%1 needed, %2 free: does not fit</source>
        <translation>需要 %1，可用 %2：放不下</translation>
    </message>
    <message>
        <source>The experts of %1 of %2 layers, %3, do not fit in RAM, where %4 are free</source>
        <translation>%2 层中 %1 层的专家（%3）无法放入内存，内存可用 %4</translation>
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
    <message>
        <source>Stop loading the model</source>
        <translation>停止加载模型</translation>
    </message>
    <message>
        <source>Loading the model was stopped</source>
        <translation>已停止加载模型</translation>
    </message>
    <message>
        <source>Loading the model: %1 %, file %2 of %3</source>
        <translation>正在加载模型：%1%，文件 %2/%3</translation>
    </message>
    <message>
        <source>The sessions cannot be opened, so nothing can be asked. %1</source>
        <translation>无法打开会话，因此不能提问。%1</translation>
    </message>
    <message>
        <source>%1. What was stored goes on with the processor.</source>
        <translation>%1。已存储的内容可在处理器上继续。</translation>
    </message>
    <message>
        <source>Go on with the CPU</source>
        <translation>改用 CPU 继续</translation>
    </message>
    <message>
        <source>Give the password…</source>
        <translation>输入密码…</translation>
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
        <source>%1, %2 billion parameters, %3 in %Ln files</source>
        <translation>
            <numerusform>%1，%2 ×10⁹ 参数，%3，共 %Ln 个文件</numerusform>
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
    <message>
        <source>&amp;Disk for stored states</source>
        <translation>用于已存状态的磁盘空间(&amp;D)</translation>
    </message>
    <message>
        <source>Memory of the GPU, %1, %2</source>
        <translation>GPU 显存，%1，%2</translation>
    </message>
    <message>
        <source>Looking for the GPU…</source>
        <translation>正在查找 GPU…</translation>
    </message>
    <message>
        <source>What was seen of answers takes at most 1/32 of it in addition</source>
        <translation>答案的观察记录另外最多占用其 1/32</translation>
    </message>
    <message>
        <source>%1, %2 billion parameters, %3; these weights are not here, so it cannot be loaded</source>
        <translation>%1，%2 ×10⁹ 参数，%3；权重不在此处，因此无法加载</translation>
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
    <message>
        <source>Being prepared…</source>
        <translation>正在准备…</translation>
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
        <source>Only %Ln frame(s) of %1: %2 tokens less</source>
        <translation>
            <numerusform>只用 %1 的 %Ln 帧：少 %2 个词元</numerusform>
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
    <message>
        <source>not read yet</source>
        <translation>尚未读取</translation>
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
        <source>%1 · to be read, %2</source>
        <translation>%1 · 待读取，%2</translation>
    </message>
    <message>
        <source>%1 · to be read</source>
        <translation>%1 · 待读取</translation>
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
    <message>
        <source>No session yet: a question begins one.</source>
        <translation>还没有会话：提问即可开始。</translation>
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
    <name>pal::desktop::ShortcutList</name>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Where a question is written</source>
        <translation>在书写问题的地方</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
    <message>
        <source>In the transcript</source>
        <translation>在对话记录中</translation>
    </message>
    <message>
        <source>Message before, message after</source>
        <translation>上一条、下一条消息</translation>
    </message>
    <message>
        <source>Links, citations and buttons of the message</source>
        <translation>消息中的链接、引文和按钮</translation>
    </message>
    <message>
        <source>All that can be done with the message</source>
        <translation>对消息的所有操作</translation>
    </message>
    <message>
        <source>Copy what is selected, as Markdown</source>
        <translation>将所选内容复制为 Markdown</translation>
    </message>
    <message>
        <source>Next and previous place that was found</source>
        <translation>下一处、上一处匹配</translation>
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
        <source>%Ln token(s) written</source>
        <translation>
            <numerusform>已写 %Ln 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 reused, %2 computed</source>
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
    <name>pal::desktop::ViewControls</name>
    <message>
        <source>&amp;Log</source>
        <translation>对数(&amp;L)</translation>
    </message>
    <message>
        <source>Hide &amp;first token</source>
        <translation>隐藏首个词元(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Busiest first</source>
        <translation>按负载排序(&amp;B)</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>all heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>head </source>
        <translation>头 </translation>
    </message>
    <message>
        <source>Colours by powers of ten</source>
        <translation>按十的幂着色</translation>
    </message>
    <message>
        <source>Leaves the first token out, which takes what heads do not need elsewhere</source>
        <translation>去掉吸收多余权重的首个词元</translation>
    </message>
    <message>
        <source>Share of the attention that is shown</source>
        <translation>显示的注意力比例</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>着色依据</translation>
    </message>
    <message>
        <source>View to compare</source>
        <translation>要比较的视图</translation>
    </message>
    <message>
        <source>Longer than</source>
        <translation>长于</translation>
    </message>
    <message>
        <source>&gt; %1 tokens</source>
        <translation>&gt; %1 个词元</translation>
    </message>
    <message>
        <source>any layer</source>
        <translation>任意层</translation>
    </message>
    <message>
        <source>layer %1 %2</source>
        <translation>层 %1 %2</translation>
    </message>
    <message>
        <source>%1 % of the mass</source>
        <translation>%1% 的权重</translation>
    </message>
    <message>
        <source>Version to compare with</source>
        <translation>要比较的版本</translation>
    </message>
    <message>
        <source>with this version</source>
        <translation>与此版本</translation>
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
        <source>Look &amp;inside</source>
        <translation>查看内部(&amp;I)</translation>
    </message>
    <message>
        <source>Look inside in a &amp;window</source>
        <translation>在窗口中查看内部(&amp;W)</translation>
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
