<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>Figure</name>
    <message>
        <source> A cell is the mean over {} tokens of the sum over {}.</source>
        <translation> Eine Zelle ist über {} Tokens gemittelt und über {} Tokens summiert.</translation>
    </message>
    <message>
        <source>, entropy {}</source>
        <translation>, Entropie {}</translation>
    </message>
    <message>
        <source>, evenly spaced</source>
        <translation>, gleichmäßig verteilt</translation>
    </message>
    <message>
        <source>, layer {}</source>
        <translation>, Schicht {}</translation>
    </message>
    <message>
        <source>, logits differ from the saved ones by at most {}</source>
        <translation>, Logits weichen von den gespeicherten um höchstens {} ab</translation>
    </message>
    <message>
        <source>, then “{}” with {}</source>
        <translation>, dann „{}“ mit {}</translation>
    </message>
    <message>
        <source>; captured live</source>
        <translation>; beim Schreiben aufgenommen</translation>
    </message>
    <message>
        <source>; captured live, in part computed again</source>
        <translation>; beim Schreiben aufgenommen, zum Teil neu berechnet</translation>
    </message>
    <message>
        <source>; computed again</source>
        <translation>; neu berechnet</translation>
    </message>
    <message>
        <source>A bar is one part of a layer; its pieces are the weights of the snapshots, oldest first, and of the running sum.</source>
        <translation>Ein Balken ist ein Teil einer Schicht; seine Stücke sind die Gewichte der Schnappschüsse, die ältesten zuerst, und der laufenden Summe.</translation>
    </message>
    <message>
        <source>A bright cell is a part that this layer read from; choose it to open that page or frame.</source>
        <translation>Eine helle Zelle ist ein Teil, aus dem diese Schicht gelesen hat; wähle sie, um die Seite oder das Bild zu öffnen.</translation>
    </message>
    <message>
        <source>A cell is one token of the picture; for clips the line below shows attention over time.</source>
        <translation>Eine Zelle ist ein Token des Bildes; bei Clips zeigt die Linie darunter die Aufmerksamkeit über die Zeit.</translation>
    </message>
    <message>
        <source>A column is a layer, a row is something measured in it: how long it remembers, how much it wrote, how open its gate was, how spread its attention and its experts were.</source>
        <translation>Eine Spalte ist eine Schicht, eine Zeile etwas darin Gemessenes: wie lange sie sich erinnert, wie viel sie geschrieben hat, wie offen ihr Tor war, wie verteilt ihre Aufmerksamkeit und ihre Experten waren.</translation>
    </message>
    <message>
        <source>A delta attention layer forgets each channel of its memory at its own pace; shown is after how many tokens half is left.</source>
        <translation>Eine Delta-Schicht vergisst jeden Kanal ihres Gedächtnisses in eigenem Tempo; gezeigt ist, nach wie vielen Tokens die Hälfte übrig ist.</translation>
    </message>
    <message>
        <source>A head with a shut gate adds nothing at that token, whatever it attended to.</source>
        <translation>Ein Kopf mit geschlossenem Tor trägt bei diesem Token nichts bei, gleich worauf er geachtet hat.</translation>
    </message>
    <message>
        <source>A high Gini index means that few experts do most of the work; low entropy means that the router was sure.</source>
        <translation>Ein hoher Gini-Index bedeutet, dass wenige Experten das meiste tun; geringe Entropie, dass der Router sicher war.</translation>
    </message>
    <message>
        <source>A norm that levels off means that old content decays as fast as new content is written.</source>
        <translation>Eine Norm, die sich einpendelt, bedeutet, dass Altes so schnell verfällt, wie Neues geschrieben wird.</translation>
    </message>
    <message>
        <source>A part that draws on early snapshots passes over what the layers between have added.</source>
        <translation>Ein Teil, der aus frühen Schnappschüssen schöpft, übergeht, was die Schichten dazwischen beigetragen haben.</translation>
    </message>
    <message>
        <source>A positive weight adds the token&apos;s value to the output, a negative one takes it away.</source>
        <translation>Ein positives Gewicht fügt den Wert des Tokens der Ausgabe hinzu, ein negatives nimmt ihn weg.</translation>
    </message>
    <message>
        <source>A row is a token that looks, a column a token that is looked at, the colour the attention between them.</source>
        <translation>Eine Zeile ist ein Token, das schaut, eine Spalte eines, auf das geschaut wird, die Farbe die Aufmerksamkeit dazwischen.</translation>
    </message>
    <message>
        <source>Above is how often each expert ran over the selection, below the experts of its first token with their weights.</source>
        <translation>Oben steht, wie oft jeder Experte in der Auswahl lief, darunter die Experten ihres ersten Tokens mit Gewichten.</translation>
    </message>
    <message>
        <source>Above is its norm over the session; below, for a computed window, the matrix itself and what the window changed in it.</source>
        <translation>Oben ihre Norm über die Sitzung; darunter, für ein berechnetes Fenster, die Matrix selbst und was das Fenster darin geändert hat.</translation>
    </message>
    <message>
        <source>All layers with attention</source>
        <translation>Alle Schichten mit Aufmerksamkeit</translation>
    </message>
    <message>
        <source>Attention from token to token</source>
        <translation>Aufmerksamkeit von Token zu Token</translation>
    </message>
    <message>
        <source>Attention from token to token, layer {}</source>
        <translation>Aufmerksamkeit von Token zu Token, Schicht {}</translation>
    </message>
    <message>
        <source>Attention from token to token, mean over layers</source>
        <translation>Aufmerksamkeit von Token zu Token, Mittel der Schichten</translation>
    </message>
    <message>
        <source>Attention is the softmax weight of the MLA layers, summed over the tokens of a part; the first token of the session, which takes what heads do not need elsewhere, is shown apart.</source>
        <translation>Aufmerksamkeit ist das Softmax-Gewicht der MLA-Schichten, summiert über die Tokens eines Teils; das erste Token der Sitzung, das nimmt, was Köpfe sonst nicht brauchen, steht für sich.</translation>
    </message>
    <message>
        <source>Attention of the selected tokens on a picture, a page shown as picture or a frame, over the picture itself.</source>
        <translation>Aufmerksamkeit der gewählten Tokens auf ein Bild, eine als Bild gezeigte Seite oder ein Einzelbild, über dem Bild selbst.</translation>
    </message>
    <message>
        <source>Before a delta attention layer writes, it reads what the key recalls and writes only the difference.</source>
        <translation>Bevor eine Delta-Schicht schreibt, liest sie, was der Schlüssel abruft, und schreibt nur den Unterschied.</translation>
    </message>
    <message>
        <source>Before each part of a layer the model mixes earlier states of its residual stream with softmax weights.</source>
        <translation>Vor jedem Teil einer Schicht mischt das Modell frühere Stände seines Residualstroms mit Softmax-Gewichten.</translation>
    </message>
    <message>
        <source>Before {} the likeliest token was “{}” with {}</source>
        <translation>Vor {} war das wahrscheinlichste Token „{}“ mit {}</translation>
    </message>
    <message>
        <source>Both have the same axes and the same colours; the difference is the second minus the first.</source>
        <translation>Beide haben gleiche Achsen und Farben; der Unterschied ist das zweite minus das erste.</translation>
    </message>
    <message>
        <source>Bright cells are where the chosen layer and head looked, which need not be what decided the answer.</source>
        <translation>Helle Zellen sind, wohin Schicht und Kopf geschaut haben; das muss die Antwort nicht entschieden haben.</translation>
    </message>
    <message>
        <source>Bright tokens have large values; point at one to see what else the model might have written there.</source>
        <translation>Helle Tokens haben große Werte; zeige auf eines, um zu sehen, was das Modell sonst geschrieben hätte.</translation>
    </message>
    <message>
        <source>Channels with a half-life above {} tokens</source>
        <translation>Kanäle mit Halbwertszeit über {} Tokens</translation>
    </message>
    <message>
        <source>Choose a second token or span: Alt with a click, or “Compare with”.</source>
        <translation>Wähle ein zweites Token oder einen Bereich: Alt und Klick.</translation>
    </message>
    <message>
        <source>Coloured text</source>
        <translation>Gefärbter Text</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Compute a window with all values of layer {} around this token to see its reads.</source>
        <translation>Berechne ein Fenster mit allen Werten von Schicht {} um dieses Token, um zu sehen, was sie abrief.</translation>
    </message>
    <message>
        <source>Compute a window with all values to see single channels.</source>
        <translation>Berechne ein Fenster mit allen Werten, um einzelne Kanäle zu sehen.</translation>
    </message>
    <message>
        <source>Compute a window with all values to see the matrix of a head.</source>
        <translation>Berechne ein Fenster mit allen Werten, um die Matrix eines Kopfes zu sehen.</translation>
    </message>
    <message>
        <source>Delta attention has no softmax, but its output is a sum over all earlier tokens with weights that follow from the recurrence; these weights are shown.</source>
        <translation>Delta-Aufmerksamkeit hat kein Softmax, doch ihre Ausgabe ist eine Summe über alle früheren Tokens mit Gewichten, die aus der Rekurrenz folgen; diese sind gezeigt.</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Each attention head multiplies its output by a gate between 0 and 1 per channel.</source>
        <translation>Jeder Kopf multipliziert seine Ausgabe je Kanal mit einem Tor zwischen 0 und 1.</translation>
    </message>
    <message>
        <source>Each token by its own value; plain ones were not captured.</source>
        <translation>Jedes Token nach seinem Wert; ungefärbte wurden nicht aufgenommen.</translation>
    </message>
    <message>
        <source>Entropy of the weights</source>
        <translation>Entropie der Gewichte</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Experts as the router chose them, with the weights that scale their outputs; the shared experts, which always run, are left out.</source>
        <translation>Experten, wie der Router sie gewählt hat, mit den Gewichten ihrer Ausgaben; die geteilten, die immer laufen, fehlen.</translation>
    </message>
    <message>
        <source>Experts of {}, best first</source>
        <translation>Experten von {}, die besten zuerst</translation>
    </message>
    <message>
        <source>First: {}. Second: {}.</source>
        <translation>Erstes: {}. Zweites: {}.</translation>
    </message>
    <message>
        <source>For a computed window every weight is known and each row sums to 1; otherwise only the most attended tokens of each row were kept.</source>
        <translation>In einem berechneten Fenster ist jedes Gewicht bekannt und jede Zeile ergibt 1; sonst wurden nur die meistbeachteten Tokens behalten.</translation>
    </message>
    <message>
        <source>Frobenius norm over all heads after each token, with its smallest and largest value where a column holds several tokens.</source>
        <translation>Frobenius-Norm über alle Köpfe nach jedem Token, mit kleinstem und größtem Wert, wo eine Spalte mehrere Tokens hält.</translation>
    </message>
    <message>
        <source>From which depth layers drew, {}</source>
        <translation>Aus welcher Tiefe Schichten schöpften, {}</translation>
    </message>
    <message>
        <source>Gates</source>
        <translation>Tore</translation>
    </message>
    <message>
        <source>Gini index</source>
        <translation>Gini-Index</translation>
    </message>
    <message>
        <source>Gini index of the load</source>
        <translation>Gini-Index der Last</translation>
    </message>
    <message>
        <source>Head {} after the window</source>
        <translation>Kopf {} nach dem Fenster</translation>
    </message>
    <message>
        <source>Head {}: S before {} and after, computed again.</source>
        <translation>Kopf {}: S vor {} und danach, neu berechnet.</translation>
    </message>
    <message>
        <source>Head {}: length of each part over that of the read</source>
        <translation>Kopf {}: Teile des Gelesenen</translation>
    </message>
    <message>
        <source>Heads of layer {}</source>
        <translation>Köpfe von Schicht {}</translation>
    </message>
    <message>
        <source>Heads with long half-lives can carry facts across a document, those with short ones only the last words.</source>
        <translation>Köpfe mit langen Halbwertszeiten können Fakten durch ein Dokument tragen, solche mit kurzen nur die letzten Wörter.</translation>
    </message>
    <message>
        <source>How far a token&apos;s value was from what its key recalled, times β: what was new to the memory. Where a column holds several tokens, the largest.</source>
        <translation>Wie weit der Wert eines Tokens von dem war, was sein Schlüssel abrief, mal β: was dem Gedächtnis neu war. Wo eine Spalte mehrere Tokens hält, das größte.</translation>
    </message>
    <message>
        <source>How long delta attention remembers, at {}</source>
        <translation>Wie lange Delta-Aufmerksamkeit sich erinnert, bei {}</translation>
    </message>
    <message>
        <source>How long it remembers</source>
        <translation>Wie lange es sich erinnert</translation>
    </message>
    <message>
        <source>How much attention the selected tokens paid to each page, file, frame and turn, layer by layer.</source>
        <translation>Wie viel Aufmerksamkeit die gewählten Tokens jeder Seite, Datei, jedem Bild und jeder Nachricht gaben, Schicht für Schicht.</translation>
    </message>
    <message>
        <source>How open the output gates were, {}</source>
        <translation>Wie offen die Ausgangstore waren, {}</translation>
    </message>
    <message>
        <source>In most layers a router sends each token to a few of many experts.</source>
        <translation>In den meisten Schichten schickt ein Router jedes Token zu wenigen von vielen Experten.</translation>
    </message>
    <message>
        <source>It is ln 2 divided by minus the log decay that the layer chose at each token.</source>
        <translation>Es ist ln 2 durch den negativen Log-Zerfall, den die Schicht bei jedem Token wählt.</translation>
    </message>
    <message>
        <source>Its memory</source>
        <translation>Sein Gedächtnis</translation>
    </message>
    <message>
        <source>Large values are tokens that told the memory something new; what was there before writes less when it comes again.</source>
        <translation>Große Werte sind Tokens, die dem Gedächtnis Neues sagten; was schon da war, schreibt weniger, wenn es wiederkommt.</translation>
    </message>
    <message>
        <source>Layer {} drew most on earlier depths: {} of its input came from snapshots.</source>
        <translation>Schicht {} schöpfte am meisten aus früheren Tiefen: {} ihrer Eingabe kamen aus Schnappschüssen.</translation>
    </message>
    <message>
        <source>Layer {}, head {}: every channel, over the window</source>
        <translation>Schicht {}, Kopf {}: jeder Kanal über das Fenster</translation>
    </message>
    <message>
        <source>Layer {}: 10 % to 90 % of a head&apos;s channels, and the median</source>
        <translation>Schicht {}: 10 % bis 90 % der Kanäle eines Kopfes und der Median</translation>
    </message>
    <message>
        <source>Layer {}: attention on the tokens of the picture that are among the most attended of each token, mean over heads; plain cells hold less.</source>
        <translation>Schicht {}: Aufmerksamkeit auf die Tokens des Bildes, die zu den meistbeachteten gehören, Mittel über Köpfe; leere Zellen haben weniger.</translation>
    </message>
    <message>
        <source>Layer {}: effective write β‖v − Sᵀk‖ per head</source>
        <translation>Schicht {}: wirksames Schreiben β‖v − Sᵀk‖ je Kopf</translation>
    </message>
    <message>
        <source>Layer {}: mean openness over tokens</source>
        <translation>Schicht {}: mittlere Offenheit über Tokens</translation>
    </message>
    <message>
        <source>Layer {}: norm of the state over tokens</source>
        <translation>Schicht {}: Norm des Zustands über Tokens</translation>
    </message>
    <message>
        <source>Layer {}: shares of channels</source>
        <translation>Schicht {}: Anteile der Kanäle</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Layers at {}</source>
        <translation>Schichten bei {}</translation>
    </message>
    <message>
        <source>Load: share of tokens that an expert ran for</source>
        <translation>Last: Anteil der Tokens, für die ein Experte lief</translation>
    </message>
    <message>
        <source>Look for columns that stand out, and choose one to see that layer in the other views.</source>
        <translation>Achte auf Spalten, die herausstechen, und wähle eine, um die Schicht in den anderen Ansichten zu sehen.</translation>
    </message>
    <message>
        <source>Mean openness, all layers</source>
        <translation>Mittlere Offenheit, alle Schichten</translation>
    </message>
    <message>
        <source>Median over channels, all KDA layers</source>
        <translation>Median über Kanäle, alle KDA-Schichten</translation>
    </message>
    <message>
        <source>Most surprising tokens</source>
        <translation>Überraschendste Tokens</translation>
    </message>
    <message>
        <source>Nothing was captured of {}. Compute this span again to see it.</source>
        <translation>Von {} wurde nichts aufgenommen. Berechne den Bereich neu, um ihn zu sehen.</translation>
    </message>
    <message>
        <source>Of what was attached it looked most at {}: {} of all attention, and {} of that of layer {}, head {}.</source>
        <translation>Vom Angehängten schaute es am meisten auf {}: {} aller Aufmerksamkeit und {} derer von Schicht {}, Kopf {}.</translation>
    </message>
    <message>
        <source>On the picture</source>
        <translation>Auf dem Bild</translation>
    </message>
    <message>
        <source>One view of two tokens, spans or branches, one above the other, and their difference.</source>
        <translation>Eine Ansicht zweier Tokens, Bereiche oder Zweige, übereinander, und ihr Unterschied.</translation>
    </message>
    <message>
        <source>Over {}: {} of {} tokens read</source>
        <translation>Über {}: {} von {} Tokens gelesen</translation>
    </message>
    <message>
        <source>Per layer: mean over the tokens of what each row names. Every row has its own colours, from its smallest to its largest value.</source>
        <translation>Je Schicht: Mittel über die Tokens dessen, was die Zeile nennt. Jede Zeile hat eigene Farben, vom kleinsten zum größten Wert.</translation>
    </message>
    <message>
        <source>Red is where the second has more, blue where it has less.</source>
        <translation>Rot ist, wo das zweite mehr hat, blau, wo es weniger hat.</translation>
    </message>
    <message>
        <source>Rows look at columns; only the most attended tokens of each row were kept, mean over heads.</source>
        <translation>Zeilen schauen auf Spalten; nur die meistbeachteten Tokens jeder Zeile wurden behalten, Mittel über Köpfe.</translation>
    </message>
    <message>
        <source>Shown is the mean over a head&apos;s channels, and how many of them are nearly shut or nearly open.</source>
        <translation>Gezeigt ist das Mittel über die Kanäle eines Kopfes und wie viele fast geschlossen oder fast offen sind.</translation>
    </message>
    <message>
        <source>Sigmoid of each channel&apos;s gate: 0 lets nothing of the attention&apos;s output through, 1 all. Shut is below 0.1, open above 0.9.</source>
        <translation>Sigmoid des Tors jedes Kanals: 0 lässt nichts von der Ausgabe durch, 1 alles. Geschlossen ist unter 0,1, offen über 0,9.</translation>
    </message>
    <message>
        <source>Signed weights implied by the recurrence, which has no softmax; exact over the window, nothing is left out. Checked: with what is older they sum to the layer&apos;s own read within {}.</source>
        <translation>Gewichte mit Vorzeichen, die aus der Rekurrenz folgen, die kein Softmax hat; exakt im Fenster, nichts fehlt. Geprüft: Mit dem Älteren ergeben sie das, was die Schicht las, auf {} genau.</translation>
    </message>
    <message>
        <source>Softmax weights over the snapshots of the residual stream and its running sum, mean over tokens. Checked: each row sums to 1 within {}.</source>
        <translation>Softmax-Gewichte über die Schnappschüsse des Residualstroms und seine laufende Summe, Mittel über Tokens. Geprüft: Jede Zeile ergibt 1 auf {} genau.</translation>
    </message>
    <message>
        <source>Text by {}</source>
        <translation>Text nach {}</translation>
    </message>
    <message>
        <source>The effective write is the length of that difference times the write strength β.</source>
        <translation>Das wirksame Schreiben ist die Länge dieses Unterschieds mal die Schreibstärke β.</translation>
    </message>
    <message>
        <source>The largest write was at {}, in layer {}, head {}: {}, {} times the median of all heads here.</source>
        <translation>Am meisten geschrieben wurde bei {}, in Schicht {}, Kopf {}: {}, das {}-Fache des Medians aller Köpfe hier.</translation>
    </message>
    <message>
        <source>The memory of a delta attention head is one matrix of fixed size, however long the text is.</source>
        <translation>Das Gedächtnis eines Delta-Kopfes ist eine Matrix fester Größe, gleich wie lang der Text ist.</translation>
    </message>
    <message>
        <source>The number was measured while the token was read; tokens without colour were not looked at.</source>
        <translation>Die Zahl wurde gemessen, während das Token gelesen wurde; ungefärbte Tokens wurden nicht betrachtet.</translation>
    </message>
    <message>
        <source>The state of delta attention, layer {}</source>
        <translation>Der Zustand der Delta-Aufmerksamkeit, Schicht {}</translation>
    </message>
    <message>
        <source>The text of the session with each token tinted by one number.</source>
        <translation>Der Text der Sitzung, jedes Token nach einer Zahl gefärbt.</translation>
    </message>
    <message>
        <source>The two have other rows or columns: nothing can be set side by side.</source>
        <translation>Die beiden haben andere Zeilen oder Spalten: nichts lässt sich nebeneinanderstellen.</translation>
    </message>
    <message>
        <source>There is no picture, page or clip before this token.</source>
        <translation>Vor diesem Token gibt es kein Bild, keine Seite und keinen Clip.</translation>
    </message>
    <message>
        <source>There is no view “{}” to compare.</source>
        <translation>Es gibt keine Ansicht „{}“ zum Vergleichen.</translation>
    </message>
    <message>
        <source>They are signed and do not sum to 1; what was written before the window is one bar, and the sum is checked against what the layer really read.</source>
        <translation>Sie haben Vorzeichen und ergeben nicht 1; was vor dem Fenster geschrieben wurde, ist ein Balken, und die Summe wird mit dem verglichen, was die Schicht wirklich las.</translation>
    </message>
    <message>
        <source>This layer has no output gate.</source>
        <translation>Diese Schicht hat kein Ausgangstor.</translation>
    </message>
    <message>
        <source>This model adds its layers up and chooses no depth.</source>
        <translation>Dieses Modell addiert seine Schichten und wählt keine Tiefe.</translation>
    </message>
    <message>
        <source>This model has no delta attention layer.</source>
        <translation>Dieses Modell hat keine Delta-Schicht.</translation>
    </message>
    <message>
        <source>This model has no experts.</source>
        <translation>Dieses Modell hat keine Experten.</translation>
    </message>
    <message>
        <source>This model has no layer with attention.</source>
        <translation>Dieses Modell hat keine Schicht mit Aufmerksamkeit.</translation>
    </message>
    <message>
        <source>Token to token</source>
        <translation>Token zu Token</translation>
    </message>
    <message>
        <source>Tokens until half of what a channel holds has decayed, ln 2 / −ln α; geometric mean over the tokens.</source>
        <translation>Tokens, bis die Hälfte dessen zerfallen ist, was ein Kanal hält, ln 2 / −ln α; geometrisches Mittel über die Tokens.</translation>
    </message>
    <message>
        <source>Two compared</source>
        <translation>Zwei im Vergleich</translation>
    </message>
    <message>
        <source>Values are means over the selected tokens, and each row has its own scale because the rows have other units.</source>
        <translation>Werte sind Mittel über die gewählten Tokens; jede Zeile hat eine eigene Skala, weil ihre Einheiten verschieden sind.</translation>
    </message>
    <message>
        <source>Vertical stripes are tokens that many others look at, a diagonal means looking at what came just before.</source>
        <translation>Senkrechte Streifen sind Tokens, auf die viele schauen; eine Diagonale heißt, auf das eben Gelesene zu schauen.</translation>
    </message>
    <message>
        <source>Weight of each earlier token, per head</source>
        <translation>Gewicht jedes früheren Tokens, je Kopf</translation>
    </message>
    <message>
        <source>What delta attention wrote, {}</source>
        <translation>Was Delta-Aufmerksamkeit schrieb, {}</translation>
    </message>
    <message>
        <source>What it recalled</source>
        <translation>Was es abrief</translation>
    </message>
    <message>
        <source>What it wrote</source>
        <translation>Was es schrieb</translation>
    </message>
    <message>
        <source>What layer {} recalled at {}</source>
        <translation>Was Schicht {} bei {} abrief</translation>
    </message>
    <message>
        <source>What layer {}, head {} recalled at {} came most from {} (weight {}), and {} from before the window.</source>
        <translation>Was Schicht {}, Kopf {} bei {} abrief, kam am meisten von {} (Gewicht {}), und {} von vor dem Fenster.</translation>
    </message>
    <message>
        <source>What the window changed</source>
        <translation>Was das Fenster änderte</translation>
    </message>
    <message>
        <source>What {} saw</source>
        <translation>Was gesehen wurde: {}</translation>
    </message>
    <message>
        <source>Where it looked</source>
        <translation>Wohin es schaute</translation>
    </message>
    <message>
        <source>Where {} looked</source>
        <translation>Wohin geschaut wurde: {}</translation>
    </message>
    <message>
        <source>Which experts ran, {}</source>
        <translation>Welche Experten liefen, {}</translation>
    </message>
    <message>
        <source>Window: {}; computed again.</source>
        <translation>Fenster: {}; neu berechnet.</translation>
    </message>
    <message>
        <source>Write strength β: mean and spread over heads</source>
        <translation>Schreibstärke β: Mittel und Spanne über Köpfe</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>as lines</source>
        <translation>als Linien</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Aufmerksamkeit</translation>
    </message>
    <message>
        <source>attention on the first token</source>
        <translation>Aufmerksamkeit auf das erste Token</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>before the output</source>
        <translation>vor der Ausgabe</translation>
    </message>
    <message>
        <source>between</source>
        <translation>dazwischen</translation>
    </message>
    <message>
        <source>channel {}</source>
        <translation>Kanal {}</translation>
    </message>
    <message>
        <source>choice {}</source>
        <translation>Wahl {}</translation>
    </message>
    <message>
        <source>column {}</source>
        <translation>Spalte {}</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>effective write</source>
        <translation>wirksames Schreiben</translation>
    </message>
    <message>
        <source>entropy of attention (nats)</source>
        <translation>Entropie der Aufmerksamkeit (nats)</translation>
    </message>
    <message>
        <source>entropy of routing (nats)</source>
        <translation>Entropie des Routers (nats)</translation>
    </message>
    <message>
        <source>entropy of the next token (nats)</source>
        <translation>Entropie des nächsten Tokens (nats)</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>Experte</translation>
    </message>
    <message>
        <source>expert {}</source>
        <translation>Experte {}</translation>
    </message>
    <message>
        <source>experts {}–{}</source>
        <translation>Experten {}–{}</translation>
    </message>
    <message>
        <source>experts, busiest first</source>
        <translation>Experten, die fleißigsten zuerst</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>erstes Token</translation>
    </message>
    <message>
        <source>first: {}</source>
        <translation>erstes: {}</translation>
    </message>
    <message>
        <source>from the largest on</source>
        <translation>vom größten an</translation>
    </message>
    <message>
        <source>half-life (tokens)</source>
        <translation>Halbwertszeit (Tokens)</translation>
    </message>
    <message>
        <source>head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>head {}</source>
        <translation>Kopf {}</translation>
    </message>
    <message>
        <source>key channel</source>
        <translation>Schlüsselkanal</translation>
    </message>
    <message>
        <source>key channel {}</source>
        <translation>Schlüsselkanal {}</translation>
    </message>
    <message>
        <source>layer (K: delta attention, M: latent attention)</source>
        <translation>Schicht (K: Delta-, M: latente Aufmerksamkeit)</translation>
    </message>
    <message>
        <source>Mean over all layers with attention, {}: attention on each token of the picture, every token known.</source>
        <translation>Mittel über alle Schichten mit Aufmerksamkeit, {}: Aufmerksamkeit auf jedes Token des Bildes, jedes Token bekannt.</translation>
    </message>
    <message>
        <source>Mean over all layers with attention: attention on the tokens of the picture that are among the most attended of each token, mean over heads; plain cells hold less.</source>
        <translation>Mittel über alle Schichten mit Aufmerksamkeit: Aufmerksamkeit auf die Tokens des Bildes, die zu den meistbeachteten gehören, Mittel über Köpfe; leere Zellen haben weniger.</translation>
    </message>
    <message>
        <source>mean over layers</source>
        <translation>Mittel über die Schichten</translation>
    </message>
    <message>
        <source>layer {}</source>
        <translation>Schicht {}</translation>
    </message>
    <message>
        <source>layer {} ({})</source>
        <translation>Schicht {} ({})</translation>
    </message>
    <message>
        <source>layer {}, attention</source>
        <translation>Schicht {}, Aufmerksamkeit</translation>
    </message>
    <message>
        <source>layer {}, feed-forward</source>
        <translation>Schicht {}, Feed-Forward</translation>
    </message>
    <message>
        <source>layer {}, head {}</source>
        <translation>Schicht {}, Kopf {}</translation>
    </message>
    <message>
        <source>likely here:</source>
        <translation>hier wahrscheinlich:</translation>
    </message>
    <message>
        <source>markup</source>
        <translation>Auszeichnung</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>mean of all</source>
        <translation>Mittel aller</translation>
    </message>
    <message>
        <source>message {}</source>
        <translation>Nachricht {}</translation>
    </message>
    <message>
        <source>norm of the state</source>
        <translation>Norm des Zustands</translation>
    </message>
    <message>
        <source>older</source>
        <translation>älter</translation>
    </message>
    <message>
        <source>older than the window</source>
        <translation>älter als das Fenster</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>openness</source>
        <translation>Offenheit</translation>
    </message>
    <message>
        <source>out</source>
        <translation>Ausg.</translation>
    </message>
    <message>
        <source>output gate</source>
        <translation>Ausgangstor</translation>
    </message>
    <message>
        <source>p. {}</source>
        <translation>S. {}</translation>
    </message>
    <message>
        <source>part of the context</source>
        <translation>Teil des Kontexts</translation>
    </message>
    <message>
        <source>place {}</source>
        <translation>Platz {}</translation>
    </message>
    <message>
        <source>row {}</source>
        <translation>Zeile {}</translation>
    </message>
    <message>
        <source>running sum</source>
        <translation>laufende Summe</translation>
    </message>
    <message>
        <source>second minus first</source>
        <translation>zweites minus erstes</translation>
    </message>
    <message>
        <source>second: {}</source>
        <translation>zweites: {}</translation>
    </message>
    <message>
        <source>share of channels</source>
        <translation>Anteil der Kanäle</translation>
    </message>
    <message>
        <source>share of the read</source>
        <translation>Anteil am Gelesenen</translation>
    </message>
    <message>
        <source>share of tokens</source>
        <translation>Anteil der Tokens</translation>
    </message>
    <message>
        <source>shut</source>
        <translation>geschlossen</translation>
    </message>
    <message>
        <source>singular value</source>
        <translation>Singulärwert</translation>
    </message>
    <message>
        <source>snapshot {}</source>
        <translation>Schnappschuss {}</translation>
    </message>
    <message>
        <source>the expert at place {} of its layer</source>
        <translation>der Experte auf Platz {} seiner Schicht</translation>
    </message>
    <message>
        <source>this answer</source>
        <translation>diese Antwort</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>“{}” {}</source>
        <translation>„{}“ {}</translation>
    </message>
    <message>
        <source>token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>token that was looked at</source>
        <translation>Token, auf das geschaut wurde</translation>
    </message>
    <message>
        <source>token that was written</source>
        <translation>Token, das geschrieben wurde</translation>
    </message>
    <message>
        <source>token {}</source>
        <translation>Token {}</translation>
    </message>
    <message>
        <source>token {} “{}”</source>
        <translation>Token {} „{}“</translation>
    </message>
    <message>
        <source>tokens {}–{}</source>
        <translation>Tokens {}–{}</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>value channel {}</source>
        <translation>Wertkanal {}</translation>
    </message>
    <message>
        <source>value of S</source>
        <translation>Wert von S</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>write strength β</source>
        <translation>Schreibstärke β</translation>
    </message>
    <message>
        <source>{} att</source>
        <translation>{} Aufm.</translation>
    </message>
    <message>
        <source>{} ffn</source>
        <translation>{} FF</translation>
    </message>
    <message>
        <source>{} neighbouring parts to a column.</source>
        <translation>{} benachbarte Teile je Spalte.</translation>
    </message>
    <message>
        <source>{} to {}</source>
        <translation>{} bis {}</translation>
    </message>
    <message>
        <source>{}, page {}</source>
        <translation>{}, Seite {}</translation>
    </message>
    <message>
        <source>{}, page {}, picture</source>
        <translation>{}, Seite {}, Bild</translation>
    </message>
    <message>
        <source>{}, {} s</source>
        <translation>{}, {} s</translation>
    </message>
    <message>
        <source>−log p of the likeliest next token (nats)</source>
        <translation>−log p des wahrscheinlichsten nächsten Tokens (nats)</translation>
    </message>
    <message>
        <source>A map per layer and head: attention mass of {} rows of tokens on {} columns of parts of the context, without the first token.</source>
        <translation>Eine Karte je Schicht und Kopf: Aufmerksamkeit von {} Zeilen von Tokens auf {} Spalten von Teilen des Kontexts, ohne das erste Token.</translation>
    </message>
    <message>
        <source>A map per layer and head: attention mass of {} rows of tokens on {} columns of parts of the context, without the first token, the rest made to sum to 1.</source>
        <translation>Eine Karte je Schicht und Kopf: Aufmerksamkeit von {} Zeilen von Tokens auf {} Spalten von Teilen des Kontexts, ohne das erste Token, der Rest auf 1 gebracht.</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>Alle Köpfe</translation>
    </message>
    <message>
        <source>All heads, {}</source>
        <translation>Alle Köpfe, {}</translation>
    </message>
    <message>
        <source>Attention mass per part of the context, mean over tokens; upper map: {}. With the first token, shown apart, each row sums to 1.</source>
        <translation>Aufmerksamkeit je Teil des Kontexts, Mittel über die Tokens; obere Karte: {}. Mit dem ersten Token, das abseits steht, ergibt jede Zeile 1.</translation>
    </message>
    <message>
        <source>Attention mass per part of the context, mean over tokens; upper map: {}. Without the first token, the rest made to sum to 1.</source>
        <translation>Aufmerksamkeit je Teil des Kontexts, Mittel über die Tokens; obere Karte: {}. Ohne das erste Token, der Rest auf 1 gebracht.</translation>
    </message>
    <message>
        <source>Attention per time of the clip, {}</source>
        <translation>Aufmerksamkeit über die Zeit des Clips, {}</translation>
    </message>
    <message>
        <source>Every head of every layer with attention as one small map: the selected tokens from top to bottom, the parts of the context from left to right.</source>
        <translation>Jeder Kopf jeder Schicht mit Aufmerksamkeit als kleine Karte: die gewählten Tokens von oben nach unten, die Teile des Kontexts von links nach rechts.</translation>
    </message>
    <message>
        <source>It is the attention mass of “Where it looked”, with neighbouring tokens and parts joined so that all heads fit.</source>
        <translation>Es ist die Aufmerksamkeit aus „Wohin es schaute“; benachbarte Tokens und Teile sind zusammengefasst, damit alle Köpfe Platz haben.</translation>
    </message>
    <message>
        <source>Layer {}, {}: attention on each token of the picture, every token known.</source>
        <translation>Schicht {}, {}: Aufmerksamkeit auf jedes Token des Bildes, jedes Token bekannt.</translation>
    </message>
    <message>
        <source>Look for a map that differs from its neighbours, and choose it to see that head in the other views.</source>
        <translation>Suche eine Karte, die anders ist als ihre Nachbarn, und wähle sie, um diesen Kopf in den anderen Ansichten zu sehen.</translation>
    </message>
    <message>
        <source>Rows look at columns; all of the attention of each row, {}.</source>
        <translation>Zeilen schauen auf Spalten; die ganze Aufmerksamkeit jeder Zeile, {}.</translation>
    </message>
    <message>
        <source>The means are over all of these tokens, from bins.</source>
        <translation>Die Mittel gehen über alle diese Tokens, aus Abschnitten.</translation>
    </message>
    <message>
        <source>Too many cells for single shapes: heat images are embedded as PNG.</source>
        <translation>Zu viele Zellen für einzelne Formen: Wärmebilder sind als PNG eingebettet.</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>Mittel über die Köpfe</translation>
    </message>
    <message>
        <source> A column is the sum over {} tokens.</source>
        <translation> Eine Spalte ist die Summe über {} Tokens.</translation>
    </message>
    <message>
        <source> A row is the mean over {} tokens.</source>
        <translation> Eine Zeile ist das Mittel über {} Tokens.</translation>
    </message>
    <message>
        <source>Effective rank of head {}: {} before, {} after.</source>
        <translation>Effektiver Rang von Kopf {}: vorher {}, nachher {}.</translation>
    </message>
    <message>
        <source>Over {}</source>
        <translation>Über {}</translation>
    </message>
    <message>
        <source>Singular values</source>
        <translation>Singulärwerte</translation>
    </message>
    <message>
        <source>sink (first token)</source>
        <translation>Senke (erstes Token)</translation>
    </message>
    <message>
        <source>{}.</source>
        <translation>{}.</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}, {}</translation>
    </message>
</context>
<context>
    <name>PlainWords</name>
    <message>
        <source>%1, page %2: %3</source>
        <translation>%1, Seite %2: %3</translation>
    </message>
    <message>
        <source>page %1 is damaged and cannot be drawn</source>
        <translation>Seite %1 ist beschädigt und lässt sich nicht zeichnen</translation>
    </message>
    <message>
        <source>has no text, and this model cannot see</source>
        <translation>hat keinen Text, und dieses Modell kann nicht sehen</translation>
    </message>
    <message>
        <source>has pictures beside its text, and this model cannot see</source>
        <translation>hat Bilder neben dem Text, und dieses Modell kann nicht sehen</translation>
    </message>
    <message>
        <source>has no text; shown as a picture it would take %1 tokens</source>
        <translation>hat keinen Text; als Bild gezeigt kostet sie %1 Tokens</translation>
    </message>
    <message>
        <source>has no text; shown as %1 pictures it would take %2 tokens</source>
        <translation>hat keinen Text; als %1 Bilder gezeigt kostet sie %2 Tokens</translation>
    </message>
    <message>
        <source>has pictures beside its text; shown as a picture it would take %1 tokens</source>
        <translation>hat Bilder neben dem Text; als Bild gezeigt kostet sie %1 Tokens</translation>
    </message>
    <message>
        <source>has pictures beside its text; shown as %1 pictures it would take %2 tokens</source>
        <translation>hat Bilder neben dem Text; als %1 Bilder gezeigt kostet sie %2 Tokens</translation>
    </message>
    <message>
        <source>its pictures cannot be shown: %1</source>
        <translation>seine Bilder lassen sich nicht zeigen: %1</translation>
    </message>
    <message>
        <source>%1 of its %2 pictures are not in the file or come twice</source>
        <translation>%1 seiner %2 Bilder fehlen in der Datei oder kommen doppelt vor</translation>
    </message>
    <message>
        <source>nothing but pictures, no text; its image has %1 × %2 pixels</source>
        <translation>nur Bilder, kein Text; ihr Abbild hat %1 × %2 Pixel</translation>
    </message>
    <message>
        <source>a picture or drawing beside the text covers %1 % of the page; its image has %2 × %3 pixels</source>
        <translation>ein Bild oder eine Zeichnung neben dem Text bedeckt %1 % der Seite; ihr Abbild hat %2 × %3 Pixel</translation>
    </message>
    <message>
        <source>pictures or drawings beside the text cover %1 % of the page; its image has %2 × %3 pixels</source>
        <translation>Bilder oder Zeichnungen neben dem Text bedecken %1 % der Seite; ihr Abbild hat %2 × %3 Pixel</translation>
    </message>
    <message>
        <source>parts may be missing: a place of the page is damaged (%2)</source>
        <translation>Teile können fehlen: Eine Stelle der Seite ist beschädigt (%2)</translation>
    </message>
    <message>
        <source>parts may be missing: %1 places of the page are damaged, the first: %2</source>
        <translation>Teile können fehlen: %1 Stellen der Seite sind beschädigt, die erste: %2</translation>
    </message>
    <message>
        <source>nothing but a picture, no text</source>
        <translation>nur ein Bild, kein Text</translation>
    </message>
    <message>
        <source>nothing but %1 pictures, no text</source>
        <translation>nur %1 Bilder, kein Text</translation>
    </message>
    <message>
        <source>a picture is not in the text</source>
        <translation>ein Bild ist nicht im Text</translation>
    </message>
    <message>
        <source>%1 pictures are not in the text</source>
        <translation>%1 Bilder sind nicht im Text</translation>
    </message>
    <message>
        <source>a comment is not in the text</source>
        <translation>ein Kommentar ist nicht im Text</translation>
    </message>
    <message>
        <source>%1 comments are not in the text</source>
        <translation>%1 Kommentare sind nicht im Text</translation>
    </message>
    <message>
        <source>%1 places are no %2; replaced by �</source>
        <translation>%1 Stellen sind kein %2; ersetzt durch �</translation>
    </message>
    <message>
        <source>a place, at byte %2, is no %1; replaced by �</source>
        <translation>eine Stelle, bei Byte %2, ist kein %1; ersetzt durch �</translation>
    </message>
    <message>
        <source>%1 places are no %2, the first at byte %3; replaced by �</source>
        <translation>%1 Stellen sind kein %2, die erste bei Byte %3; ersetzt durch �</translation>
    </message>
    <message>
        <source>the page shows no text of its own (a program would have to fill it)</source>
        <translation>die Seite zeigt keinen eigenen Text (ein Programm müsste sie füllen)</translation>
    </message>
    <message>
        <source>the encoding %1 was guessed from the text; the file does not name one</source>
        <translation>die Kodierung %1 wurde aus dem Text erraten; die Datei nennt keine</translation>
    </message>
    <message>
        <source>the picture “%1” is not in the file</source>
        <translation>das Bild „%1“ ist nicht in der Datei</translation>
    </message>
    <message>
        <source>the chapter “%1” is named by the book but not in it</source>
        <translation>das Kapitel „%1“ nennt das Buch, enthält es aber nicht</translation>
    </message>
    <message>
        <source>the page is damaged and cannot be read</source>
        <translation>die Seite ist beschädigt und lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>read without every protection: %1</source>
        <translation>nicht unter vollem Schutz gelesen: %1</translation>
    </message>
    <message>
        <source>%1 characters have no known meaning beside %2 that have one; the page&apos;s image shows them</source>
        <translation>%1 Zeichen haben keine bekannte Bedeutung, %2 haben eine; das Abbild der Seite zeigt sie</translation>
    </message>
    <message>
        <source>the text looks garbled, most of it is rare letters and signs; the page&apos;s image shows it</source>
        <translation>der Text sieht entstellt aus, das meiste sind seltene Buchstaben und Zeichen; das Abbild der Seite zeigt ihn</translation>
    </message>
    <message>
        <source>a frame is damaged or without a time and is left out</source>
        <translation>ein Bild ist beschädigt oder ohne Zeit und bleibt weg</translation>
    </message>
    <message>
        <source>%1 frames are damaged or without a time and are left out</source>
        <translation>%1 Bilder sind beschädigt oder ohne Zeit und bleiben weg</translation>
    </message>
    <message>
        <source>reading stopped early: %1</source>
        <translation>das Lesen endete zu früh: %1</translation>
    </message>
    <message>
        <source>the file ends early: it promises %1 s, its frames end at %2 s</source>
        <translation>die Datei endet zu früh: Sie verspricht %1 s, ihre Bilder enden bei %2 s</translation>
    </message>
    <message>
        <source>the file ends early: %1 of the %2 frames that it lists are there</source>
        <translation>die Datei endet zu früh: Von %2 Bildern, die sie nennt, sind %1 da</translation>
    </message>
    <message>
        <source>this model cannot see</source>
        <translation>dieses Modell kann nicht sehen</translation>
    </message>
    <message>
        <source>this model knows no clips</source>
        <translation>dieses Modell kennt keine Clips</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>die Datei ist leer</translation>
    </message>
    <message>
        <source>a folder; attach the files in it</source>
        <translation>ein Ordner; hängen Sie die Dateien darin an</translation>
    </message>
    <message>
        <source>this is no file that can be read</source>
        <translation>das ist keine Datei, die sich lesen lässt</translation>
    </message>
    <message>
        <source>no text, document, picture or clip of a known kind</source>
        <translation>kein Text, Dokument, Bild oder Clip einer bekannten Art</translation>
    </message>
    <message>
        <source>no document that can be read: %1</source>
        <translation>kein Dokument, das sich lesen lässt: %1</translation>
    </message>
    <message>
        <source>damaged or cut short (%1)</source>
        <translation>beschädigt oder unvollständig (%1)</translation>
    </message>
    <message>
        <source>a PDF that is damaged or cut off (%1)</source>
        <translation>ein beschädigtes oder unvollständiges PDF (%1)</translation>
    </message>
    <message>
        <source>a PDF without pages: it is damaged or cut off</source>
        <translation>ein PDF ohne Seiten: Es ist beschädigt oder unvollständig</translation>
    </message>
    <message>
        <source>damaged or cut off (%1)</source>
        <translation>beschädigt oder unvollständig (%1)</translation>
    </message>
    <message>
        <source>damaged or no document (“%1” is not in it)</source>
        <translation>beschädigt oder kein Dokument („%1“ ist nicht darin)</translation>
    </message>
    <message>
        <source>damaged (%1: %2)</source>
        <translation>beschädigt (%1: %2)</translation>
    </message>
    <message>
        <source>locked with a password</source>
        <translation>mit einem Passwort gesperrt</translation>
    </message>
    <message>
        <source>named %1, but it is damaged or something else</source>
        <translation>heißt %1, ist aber beschädigt oder etwas anderes</translation>
    </message>
    <message>
        <source>an OpenDocument text locked with a password; save it without one</source>
        <translation>ein OpenDocument-Text mit Passwort; speichern Sie ihn ohne</translation>
    </message>
    <message>
        <source>the book is copy-protected</source>
        <translation>das Buch ist kopiergeschützt</translation>
    </message>
    <message>
        <source>no text: %1 of its %2 characters are control characters</source>
        <translation>kein Text: %1 der %2 Zeichen sind Steuerzeichen</translation>
    </message>
    <message>
        <source>%1 bytes; documents of up to %2 bytes are read</source>
        <translation>%1 Bytes; gelesen werden Dokumente bis %2 Bytes</translation>
    </message>
    <message>
        <source>%1 bytes of text; up to %2 are read</source>
        <translation>%1 Bytes Text; gelesen werden bis %2</translation>
    </message>
    <message>
        <source>more than %1 bytes of text</source>
        <translation>mehr als %1 Bytes Text</translation>
    </message>
    <message>
        <source>not read after %1 s, so it was given up</source>
        <translation>nach %1 s nicht gelesen und aufgegeben</translation>
    </message>
    <message>
        <source>no progress for %1 s, so it was given up</source>
        <translation>%1 s lang kein Fortschritt, aufgegeben</translation>
    </message>
    <message>
        <source>there is no video in it</source>
        <translation>es ist kein Video darin</translation>
    </message>
    <message>
        <source>no frame of it can be shown</source>
        <translation>kein Bild davon lässt sich zeigen</translation>
    </message>
    <message>
        <source>no frame of it can be shown (%1)</source>
        <translation>kein Bild davon lässt sich zeigen (%1)</translation>
    </message>
    <message>
        <source>there is not enough memory for it</source>
        <translation>der Speicher reicht dafür nicht</translation>
    </message>
    <message>
        <source>a sound file</source>
        <translation>eine Tondatei</translation>
    </message>
    <message>
        <source>a sound or video file</source>
        <translation>eine Ton- oder Videodatei</translation>
    </message>
    <message>
        <source>a program</source>
        <translation>ein Programm</translation>
    </message>
    <message>
        <source>a database</source>
        <translation>eine Datenbank</translation>
    </message>
    <message>
        <source>an old Microsoft Office document or a locked one; save it as .docx without a password, or as PDF</source>
        <translation>ein altes oder gesperrtes Microsoft-Office-Dokument; speichern Sie es ohne Passwort als .docx oder als PDF</translation>
    </message>
    <message>
        <source>an RTF document; save it as .docx or PDF</source>
        <translation>ein RTF-Dokument; speichern Sie es als .docx oder PDF</translation>
    </message>
    <message>
        <source>a PostScript file; convert it to PDF</source>
        <translation>eine PostScript-Datei; wandeln Sie sie in PDF um</translation>
    </message>
    <message>
        <source>an archive; unpack it first</source>
        <translation>ein Archiv; packen Sie es zuerst aus</translation>
    </message>
    <message>
        <source>The program did not come to its end last time; the sessions (%1) were checked and are sound</source>
        <translation>Das Programm wurde letztes Mal nicht ordentlich beendet; die Sitzungen (%1) wurden geprüft und sind heil</translation>
    </message>
    <message>
        <source>The sessions&apos; file %1 was brought to a newer form (%2 to %3); a copy of the old one is %4</source>
        <translation>Die Datei der Sitzungen %1 hat eine neue Form bekommen (%2 auf %3); eine Kopie der alten ist %4</translation>
    </message>
    <message>
        <source>%1 was written by a newer program, so the sessions can be read but not changed</source>
        <translation>%1 wurde von einem neueren Programm geschrieben; die Sitzungen lassen sich lesen, aber nicht ändern</translation>
    </message>
    <message>
        <source>%1 is on a network file system; locks and databases are not reliable there</source>
        <translation>%1 liegt auf einem Netzlaufwerk; Sperren und Datenbanken sind dort nicht verlässlich</translation>
    </message>
    <message>
        <source>%1 is damaged; the command `pal sessions salvage` saves what can be read (%2)</source>
        <translation>%1 ist beschädigt; der Befehl `pal sessions salvage` rettet, was sich lesen lässt (%2)</translation>
    </message>
    <message>
        <source>%1 is in use by another program: %2</source>
        <translation>%1 wird von einem anderen Programm benutzt: %2</translation>
    </message>
    <message>
        <source>Sessions are read again from their text: %1</source>
        <translation>Sitzungen werden neu aus ihrem Text gelesen: %1</translation>
    </message>
    <message>
        <source>What models do is not kept: %1</source>
        <translation>Was Modelle tun, wird nicht aufgehoben: %1</translation>
    </message>
    <message>
        <source>A copy that helps against damage of the sessions&apos; file was not written: %1</source>
        <translation>Eine Kopie, die bei Schäden an der Sitzungsdatei hilft, wurde nicht geschrieben: %1</translation>
    </message>
    <message>
        <source>an answer is being written</source>
        <translation>eine Antwort wird geschrieben</translation>
    </message>
    <message>
        <source>no model is loaded</source>
        <translation>es ist kein Modell geladen</translation>
    </message>
    <message>
        <source>the data folder is not open</source>
        <translation>der Datenordner ist nicht geöffnet</translation>
    </message>
    <message>
        <source>the sessions are not open</source>
        <translation>die Sitzungen sind nicht geöffnet</translation>
    </message>
    <message>
        <source>too much waits to be done</source>
        <translation>zu viel wartet auf Erledigung</translation>
    </message>
    <message>
        <source>a part of a session is computed again; stop that first</source>
        <translation>ein Teil einer Sitzung wird neu berechnet; halten Sie das zuerst an</translation>
    </message>
    <message>
        <source>the question that you write again is on another branch; show that first</source>
        <translation>die Frage, die Sie neu schreiben, liegt auf einem anderen Zweig; zeigen Sie zuerst diesen</translation>
    </message>
    <message>
        <source>it is not there (any more)</source>
        <translation>es ist nicht (mehr) da</translation>
    </message>
    <message>
        <source>you may not read or write it</source>
        <translation>Sie dürfen es nicht lesen oder schreiben</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation>die Platte ist voll</translation>
    </message>
    <message>
        <source>the disk is full, as far as it is yours</source>
        <translation>Ihr Anteil an der Platte ist voll</translation>
    </message>
    <message>
        <source>the disk may only be read</source>
        <translation>die Platte lässt sich nur lesen</translation>
    </message>
    <message>
        <source>it may only be read</source>
        <translation>es lässt sich nur lesen</translation>
    </message>
    <message>
        <source>the sessions&apos; file cannot be opened</source>
        <translation>die Datei der Sitzungen lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>the disk does not answer or is damaged</source>
        <translation>die Platte antwortet nicht oder ist beschädigt</translation>
    </message>
    <message>
        <source>the disk is not there any more</source>
        <translation>die Platte ist nicht mehr da</translation>
    </message>
    <message>
        <source>the name is too long</source>
        <translation>der Name ist zu lang</translation>
    </message>
    <message>
        <source>too many files are open</source>
        <translation>zu viele Dateien sind offen</translation>
    </message>
</context>
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
        <source>%1: %Ln frame(s), %2 tokens</source>
        <translation>
            <numerusform>%1: %Ln Bild, %2 Tokens</numerusform>
            <numerusform>%1: %Ln Bilder, %2 Tokens</numerusform>
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
    <message>
        <source>%1, part %2 of %3</source>
        <translation>%1, Teil %2 von %3</translation>
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
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
</context>
<context>
    <name>pal::desktop::AttachmentDelegate</name>
    <message>
        <source> · %1 tokens</source>
        <translation> · %1 Tokens</translation>
    </message>
    <message numerus="yes">
        <source>%Ln warning(s)</source>
        <translation>
            <numerusform>%Ln Warnung</numerusform>
            <numerusform>%Ln Warnungen</numerusform>
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
        <source>%1 × %2 pixels, %Ln token(s)</source>
        <translation>
            <numerusform>%1 × %2 Pixel, %Ln Token</numerusform>
            <numerusform>%1 × %2 Pixel, %Ln Tokens</numerusform>
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
    <message>
        <source>&amp;Give the password…</source>
        <translation>&amp;Passwort eingeben …</translation>
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
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln Seite</numerusform>
            <numerusform>%Ln Seiten</numerusform>
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
    <message>
        <source>Locked: open it to give the password</source>
        <translation>Gesperrt: zum Eingeben des Passworts öffnen</translation>
    </message>
    <message>
        <source>Locked with another password: open it to try again</source>
        <translation>Mit einem anderen Passwort gesperrt: zum Wiederholen öffnen</translation>
    </message>
</context>
<context>
    <name>pal::desktop::CaptureBar</name>
    <message>
        <source>Compute the selection again…</source>
        <translation>Auswahl neu berechnen …</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>What is captured of answers</source>
        <translation>Was von Antworten aufgenommen wird</translation>
    </message>
    <message>
        <source>Capture nothing</source>
        <translation>Nichts aufnehmen</translation>
    </message>
    <message>
        <source>Capture a summary</source>
        <translation>Zusammenfassung aufnehmen</translation>
    </message>
    <message>
        <source>What is computed again</source>
        <translation>Was neu berechnet wird</translation>
    </message>
    <message>
        <source>Window: summaries</source>
        <translation>Fenster: Zusammenfassungen</translation>
    </message>
    <message>
        <source>Full: every value of the layer</source>
        <translation>Voll: jeder Wert der Schicht</translation>
    </message>
    <message>
        <source>Computed tokens</source>
        <translation>Berechnete Tokens</translation>
    </message>
    <message>
        <source>Reads %1 tokens again, keeps %2</source>
        <translation>Liest %1 Tokens neu, behält %2</translation>
    </message>
    <message>
        <source>, about %1 s</source>
        <translation>, etwa %1 s</translation>
    </message>
    <message>
        <source>%1 per token</source>
        <translation>%1 je Token</translation>
    </message>
    <message>
        <source>its time is measured once answers were written with and without</source>
        <translation>der Zeitbedarf steht fest, sobald Antworten mit und ohne geschrieben wurden</translation>
    </message>
    <message>
        <source>%1 % more time per token</source>
        <translation>%1 % mehr Zeit je Token</translation>
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
    <message>
        <source>A session&apos;s first message goes with the session. Ctrl+Shift+Backspace deletes that.</source>
        <translation>Die erste Nachricht geht nur mit der Sitzung. Strg+Umschalt+Rücktaste löscht diese.</translation>
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
    <message>
        <source>No model is loaded: Ctrl+, chooses one.</source>
        <translation>Kein Modell ist geladen: Strg+, wählt eines.</translation>
    </message>
    <message>
        <source>An answer is being written: Esc stops it.</source>
        <translation>Eine Antwort wird geschrieben: Esc hält sie an.</translation>
    </message>
    <message>
        <source>Locked PDF</source>
        <translation>Gesperrtes PDF</translation>
    </message>
    <message>
        <source>Password (it is not stored):</source>
        <translation>Passwort (es wird nicht gespeichert):</translation>
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
    <name>pal::desktop::FigureWidget</name>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Nothing is shown yet</source>
        <translation>Noch nichts zu sehen</translation>
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
        <source>Only the first %Ln file(s) are offered.</source>
        <translation>
            <numerusform>Nur die erste Datei wird angeboten.</numerusform>
            <numerusform>Nur die ersten %Ln Dateien werden angeboten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Attach %Ln file(s)</source>
        <translation>
            <numerusform>%Ln Datei &amp;anhängen</numerusform>
            <numerusform>%Ln Dateien &amp;anhängen</numerusform>
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
    <name>pal::desktop::InspectDock</name>
    <message>
        <source>Look inside</source>
        <translation>Hineinsehen</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InspectFeed</name>
    <message>
        <source>with version %1 of %2 of message %3</source>
        <translation>mit Version %1 von %2 der Nachricht %3</translation>
    </message>
</context>
<context>
    <name>pal::desktop::InspectPanel</name>
    <message>
        <source>What is this?</source>
        <translation>Was ist das?</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Picture, PNG, %1×</source>
        <translation>Bild, PNG, %1×</translation>
    </message>
    <message>
        <source>Drawing, SVG</source>
        <translation>Zeichnung, SVG</translation>
    </message>
    <message>
        <source>Table, CSV</source>
        <translation>Tabelle, CSV</translation>
    </message>
    <message>
        <source>Data, JSON</source>
        <translation>Daten, JSON</translation>
    </message>
    <message>
        <source>In a window of its own</source>
        <translation>In einem eigenen Fenster</translation>
    </message>
    <message>
        <source>show</source>
        <translation>zeigen</translation>
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
        <source>Planned for %1 tokens of context</source>
        <translation>Geplant für %1 Tokens Kontext</translation>
    </message>
    <message>
        <source>Room for experts from RAM</source>
        <translation>Platz für Experten aus dem Arbeitsspeicher</translation>
    </message>
    <message>
        <source>The experts of %1 of %2 layers, %3, stay in RAM</source>
        <translation>Die Experten von %1 von %2 Schichten, %3, bleiben im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>At most %1 tokens per second</source>
        <translation>Höchstens %1 Tokens pro Sekunde</translation>
    </message>
    <message>
        <source>%1 needed, %2 free: does not fit</source>
        <translation>%1 nötig, %2 frei: passt nicht</translation>
    </message>
    <message>
        <source>The experts of %1 of %2 layers, %3, do not fit in RAM, where %4 are free</source>
        <translation>Die Experten von %1 der %2 Schichten, %3, passen nicht in den Arbeitsspeicher, wo %4 frei sind</translation>
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
    <message>
        <source>Stop loading the model</source>
        <translation>Laden des Modells anhalten</translation>
    </message>
    <message>
        <source>Loading the model was stopped</source>
        <translation>Das Laden des Modells wurde angehalten</translation>
    </message>
    <message>
        <source>Loading the model: %1 %, file %2 of %3</source>
        <translation>Modell wird geladen: %1 %, Datei %2 von %3</translation>
    </message>
    <message>
        <source>The sessions cannot be opened, so nothing can be asked. %1</source>
        <translation>Die Sitzungen lassen sich nicht öffnen, daher kann nichts gefragt werden. %1</translation>
    </message>
    <message>
        <source>%1. What was stored goes on with the processor.</source>
        <translation>%1. Was gespeichert ist, geht mit dem Prozessor weiter.</translation>
    </message>
    <message>
        <source>Go on with the CPU</source>
        <translation>Mit der CPU weitermachen</translation>
    </message>
    <message>
        <source>Give the password…</source>
        <translation>Passwort eingeben …</translation>
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
        <source>%1, %2 billion parameters, %3 in %Ln files</source>
        <translation>
            <numerusform>%1, %2 Milliarden Parameter, %3 in %Ln Datei</numerusform>
            <numerusform>%1, %2 Milliarden Parameter, %3 in %Ln Dateien</numerusform>
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
    <message>
        <source>&amp;Disk for stored states</source>
        <translation>&amp;Platte für gespeicherte Zustände</translation>
    </message>
    <message>
        <source>Memory of the GPU, %1, %2</source>
        <translation>Speicher der GPU, %1, %2</translation>
    </message>
    <message>
        <source>Looking for the GPU…</source>
        <translation>GPU wird gesucht …</translation>
    </message>
    <message>
        <source>What was seen of answers takes at most 1/32 of it in addition</source>
        <translation>Was von Antworten gesehen wurde, nimmt zusätzlich höchstens 1/32 davon ein</translation>
    </message>
    <message>
        <source>%1, %2 billion parameters, %3; these weights are not here, so it cannot be loaded</source>
        <translation>%1, %2 Milliarden Parameter, %3; diese Gewichte sind nicht hier, also lässt es sich nicht laden</translation>
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
    <message>
        <source>Being prepared…</source>
        <translation>Wird vorbereitet …</translation>
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
        <source>Only %Ln frame(s) of %1: %2 tokens less</source>
        <translation>
            <numerusform>Nur %Ln Bild von %1: %2 Tokens weniger</numerusform>
            <numerusform>Nur %Ln Bilder von %1: %2 Tokens weniger</numerusform>
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
    <message>
        <source>not read yet</source>
        <translation>noch nicht gelesen</translation>
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
        <source>%1 · to be read, %2</source>
        <translation>%1 · zu lesen, %2</translation>
    </message>
    <message>
        <source>%1 · to be read</source>
        <translation>%1 · zu lesen</translation>
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
    <message>
        <source>No session yet: a question begins one.</source>
        <translation>Noch keine Sitzung: Eine Frage beginnt eine.</translation>
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
    <name>pal::desktop::ShortcutList</name>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Where a question is written</source>
        <translation>Wo eine Frage geschrieben wird</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>Neue Zeile</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort anhalten</translation>
    </message>
    <message>
        <source>In the transcript</source>
        <translation>Im Verlauf</translation>
    </message>
    <message>
        <source>Message before, message after</source>
        <translation>Nachricht davor, Nachricht danach</translation>
    </message>
    <message>
        <source>Links, citations and buttons of the message</source>
        <translation>Links, Quellenangaben und Knöpfe der Nachricht</translation>
    </message>
    <message>
        <source>All that can be done with the message</source>
        <translation>Alles, was mit der Nachricht geht</translation>
    </message>
    <message>
        <source>Copy what is selected, as Markdown</source>
        <translation>Auswahl als Markdown kopieren</translation>
    </message>
    <message>
        <source>Next and previous place that was found</source>
        <translation>Nächste und vorige Fundstelle</translation>
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
        <source>%Ln token(s) written</source>
        <translation>
            <numerusform>%Ln Token geschrieben</numerusform>
            <numerusform>%Ln Tokens geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 reused, %2 computed</source>
        <translation>%1 wiederverwendet, %2 berechnet</translation>
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
    <name>pal::desktop::ViewControls</name>
    <message>
        <source>&amp;Log</source>
        <translation>&amp;Logarithmisch</translation>
    </message>
    <message>
        <source>Hide &amp;first token</source>
        <translation>&amp;Erstes Token ausblenden</translation>
    </message>
    <message>
        <source>&amp;Busiest first</source>
        <translation>&amp;Fleißigste zuerst</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>all heads</source>
        <translation>alle Köpfe</translation>
    </message>
    <message>
        <source>head </source>
        <translation>Kopf </translation>
    </message>
    <message>
        <source>Colours by powers of ten</source>
        <translation>Farben nach Zehnerpotenzen</translation>
    </message>
    <message>
        <source>Leaves the first token out, which takes what heads do not need elsewhere</source>
        <translation>Lässt das erste Token weg, das nimmt, was Köpfe sonst nicht brauchen</translation>
    </message>
    <message>
        <source>Share of the attention that is shown</source>
        <translation>Anteil der Aufmerksamkeit, der gezeigt wird</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Färben nach</translation>
    </message>
    <message>
        <source>View to compare</source>
        <translation>Ansicht zum Vergleichen</translation>
    </message>
    <message>
        <source>Longer than</source>
        <translation>Länger als</translation>
    </message>
    <message>
        <source>&gt; %1 tokens</source>
        <translation>&gt; %1 Tokens</translation>
    </message>
    <message>
        <source>any layer</source>
        <translation>beliebige Schicht</translation>
    </message>
    <message>
        <source>layer %1 %2</source>
        <translation>Schicht %1 %2</translation>
    </message>
    <message>
        <source>%1 % of the mass</source>
        <translation>%1 % der Masse</translation>
    </message>
    <message>
        <source>Version to compare with</source>
        <translation>Version, mit der verglichen wird</translation>
    </message>
    <message>
        <source>with this version</source>
        <translation>mit dieser Version</translation>
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
        <source>Look &amp;inside</source>
        <translation>H&amp;ineinsehen</translation>
    </message>
    <message>
        <source>Look inside in a &amp;window</source>
        <translation>In einem &amp;Fenster hineinsehen</translation>
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
