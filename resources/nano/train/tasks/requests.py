# SPDX-License-Identifier: Apache-2.0
"""Further wordings of requests, put together from parts: who asks, for what reason, how politely, from which source, in what
style.  TRAIN only: questions.py and copying.py put them in front of their own lists, whose last frames are TEST.

The one rule behind all of them: an answer is a sentence unless a word of the request asks for brevity.
"""
from tasks import lexicon, names
from tasks.fields import fields


def lowered(alternatives):
    return "|".join(text[0].lower() + text[1:] for text in alternatives.split("|"))


TELL = ("Tell me|Let me know|Inform me|Show me|Point out|Spell out|Make clear|Report|Mention|Note down|Write down|Look up|Find out|Dig up|Work out|"
        "Check|Establish|Determine|Discover|See|Remind me|Confirm|Clear up|Share with me|Say|State|Explain|Let me hear|Bring to light|Search out|"
        "Recall|Tell us|Let us know|Help me find out|Help me see|Trace|Look for|Make out|Give me to know|Describe|Have a look")
GET = ("Tell me|Give me|Find|Find me|Look up|Show me|Get me|Bring me|Dig up|Search for|Report|Provide|Supply me with|Name|State|Read out|Pick out|"
       "Let me have|Fetch|Hand over|Locate|Track down|Help me find|Share|List|Point me to|Furnish|Dig out|Turn up|Let me see|Return|Send me|Mention|"
       "Hunt down|Write down")
WILL = ("Would you be so kind as to|Would it be possible to|Are you able to|Is it possible to|I would ask you to|I must ask you to|"
        "You should be able to|Your job is to|Your task is to|The task is to|Try to|Be so good as to|Feel free to|Take a moment to|It is time to|"
        "We have to|I need somebody to|I want you to|I would like you to|You are asked to|I am asking you to|Please be so kind and|Do me a favor and|"
        "Be a friend and|Help me and|Go through it and|Read it and|Check the text and|Look again and|Let us|All you have to do is|"
        "I was told to ask you to|Somebody has to|One of us should|You are here to|My request is to|Kindly|Please|Now|Next,|Then|First,|Finally,|"
        "Quickly|Also|If you can,|When ready,|If it is not too much trouble,|Before we go on,|While you are at it,|As a first step,|To begin with,|"
        "For a start,")
WONDER = ("I am curious|I am eager to learn|I am dying to know|I keep asking|I keep wondering|It is unclear to me|It escapes me|I have no idea|"
          "I can't recall|I can't make out|I would give a lot to know|I've been wondering|It would be good to know|It would be nice to learn|"
          "What interests me is|What I need to know is|All of us wonder|We are arguing about|We cannot agree on|They keep asking me|"
          "My notes do not tell|Nobody here remembers|It matters to me|I missed|I overlooked|I did not catch|I never understood|"
          "It would be useful to learn|The question is|The question remains|The point is|What puzzles me is|What nobody could tell me is|"
          "We were wondering|My reader will ask|The form asks|The quiz asks|On the exam they ask|She would like to know|He wants to find out|"
          "They are keen to hear|It is time to find out|I should know|I ought to know|You surely know|You will have read|You can probably tell|"
          "Somebody must know|The next thing is|Item one is|Let me ask|May I ask|Might I ask")
AFTER_WONDER = (".|.|.|.|. Do you see it?|. What does it say?|. Can you look?|. Please look.|. It should be in there.|, so please check.|"
                ", if the text tells.|. Any idea?|?|, and you have the text.|; please help.")
SOURCE = ("As far as the [page|text|document|letter] goes|With this text as your only source|Taking the [text|page|author] at its word|"
          "If the [notes are|text is|page is] right|Given what is written|Given the above|From what you read|From what is given|"
          "On the strength of this text|By this account|As the [text|page|report|story] has it|After reading this|Having read the page|"
          "Now that you have read it|With all that in mind|In the light of the text|Going through the [page|lines|text]|From these lines|"
          "In what I sent you|In what was pasted|In the material|According to the material|In the words of the text|If you trust the text|"
          "Sticking to the text|Without guessing|In your reading|As you read it|As it is told here|Judging from the lines|On this page|"
          "Throughout the text|Somewhere in the [text|page|lines]|Among all this")
NAMED = ("Me|Client|Student|Reader|User|Visitor|Customer|Q1|Q2|Ticket|Item 3|Query|Ask|To do|Point 4|Issue|FAQ|Form|Interviewer|Host|Teacher|Search|"
         "Input|Prompt|Human|Request|Reporter")
AFTER = ("It must be in there.|It has to be somewhere.|I know it is written somewhere.|You have the text.|My eyes are tired.|"
         "I read it twice and missed it.|Let me know.|A sentence, please.|Answer in a sentence.|Please answer.|Answer, please.|Reply when you can.|"
         "Tell me.|Look it up.|Have a look.|The text should say.|I hope it says so.|Somebody must have written it.|That is what I want to know.|"
         "That is all for now.|This is my question.|Can you tell?|Do you know?|Does it say?|Is it mentioned?|What would you answer?|Go on.|"
         "Over to you.|Ready?|Yes?")

_SOURCES = fields(SOURCE)

FULL = (
    f"[{TELL}] {{indirect}}[.|.|.|!|, please.|, would you?|, thanks.| for me.]",
    f"[{WILL}] [{lowered(TELL)}] {{indirect}}[.|.|.|, please.|?]", f"[{WILL}] [{lowered(TELL)}] {{indirect}}.",
    f"[{WONDER}] {{indirect}}[{AFTER_WONDER}]", f"[{WONDER}] {{indirect}}.",
    *(f"{source}, {{direct}}?" for source in _SOURCES[::3]),
    *(f"{source}, [{lowered(TELL)}] {{indirect}}." for source in _SOURCES[1::3]),
    *(f"{source}: {{direct}}?" for source in _SOURCES[2::3]),
    f"[{NAMED}]: {{direct}}?", f"[{NAMED}]: {{Direct}}?", f"[{NAMED}] - {{direct}}?", f"{{Direct}}? [{AFTER}]", f"{{Direct}}? [{AFTER}]",
    f"{{direct}}? [{AFTER}]",
    "[1.|2.|3)|(4)|5:|a)|(b)|i.|#6|*|-|–|>|>>|=>|?] {Direct}?", "[*|**|_|'|`|“]{Direct}?",
    '"{Direct}?"[| That is the question.| was her question.| he asked.| is what I wonder.]',
    "{Direct}[??|?!|...|, please?|, do you know?|, can you tell?|, I wonder?|, I wonder.|, again?|, if I may ask?|, by the way?|, according to this?|"
    ", then?|, exactly?|, actually?|, anyway?|, in fact?]",
    "[Hey|Hi|Hello|Good morning|Good evening|Dear assistant|Say|Listen|Well now|Ah|Oh|Hmm|Sorry|Pardon me|One moment|By the way|Anyway|Actually|"
    "Honestly|Seriously|Finally|Lastly|First of all|Secondly|In addition|Apart from that|Speaking of it|Coming back to it], {direct}?",
    "[I have a question|Here is my question|A question has come up|This is what I ask|There is one thing left|I have been asked this|"
    "Please answer this|Kindly answer|Answer me this|Answer the following|Try this one|What about this|Consider this|Think about this]: {direct}?",
    "[Is it|Was it] [said|told|stated|written|mentioned|explained|given|clear] [here|anywhere|in the text|on the page|at all|] {indirect}?",
    "[Where it says so|If it is there|Should the text say so|In case it is mentioned|If the author tells us|Provided it is stated], {direct}?",
)
NOUN_FULL = (
    f"[{GET}] {{noun}}[.|.|.|!|, please.|, would you?|, thanks.| for me.]", f"[{WILL}] [{lowered(GET)}] {{noun}}[.|.|.|, please.]",
    f"[{WILL}] [{lowered(GET)}] {{noun}}.",
    "[What I need is|What I want is|The thing I need is|What is missing is|My form asks for|The form wants|I was asked for|They asked me for|"
    "I have been looking for|I am searching for|I am in need of|I am missing|I cannot find|I lost track of|I forgot|We need to know|"
    "My question is about|It is about|This concerns|I would be glad of|I'd be happy to get|Everybody wants|The boss wants|I should write down|"
    "I must enter|We still lack|Please help me with|Let us talk about|I am interested in|I have to know|It would be good to have|I could use|"
    "There must be something about] {noun}[.|.|.|. Can you help?|. What is it?|. Look it up.|, please.]",
    *(f"{source}, [{lowered(GET)}] {{noun}}." for source in _SOURCES[::4]), *(f"{source}, what is given as {{noun}}?" for source in _SOURCES[2::8]),
    f"[{NAMED}]: {{noun}}?",
    "[How about|What about|And what about|Now to|Then there is|Remember|Do you have|Have you got|Did you see|Can you see|Do you see|Is there|"
    "Any word on|Any sign of|Anything on] {noun}?",
    "{Noun}, [what is it|what does it say|can you tell|do you know it|is it given|is it mentioned|please tell me]?",
    "{Noun}: [what is it|what does the text say|do you know it|please look it up|is it stated]?",
    "[Is|Was] {noun} [given|mentioned|stated|named|told|known|written down] [here|anywhere|in the text|]? [Tell me.|If so, what is it?|What is it?|]",
)
BRIEFLY = ("In a word|In a nutshell|In brief|In one phrase|In telegram style|In note form|In keywords|In few words|In the fewest words|"
           "In the shortest form|To put it briefly|To be brief|To keep it short|As short as you can|As briefly as you can|As concisely as possible|"
           "With few words|With the least words|Without a sentence|Without full sentences|Without any extra words|Without explanation|"
           "Without decoration|Cut short|Long story short|Stripped to the core|Quick and short|Concisely|Succinctly|Shortly|Crisply|Tight and short|"
           "In shorthand|Headline style|One phrase only|A word or a name|Only the value|The bare fact|Just the fact|The naked answer|Short form|"
           "Short version|Briefest answer|Shortest answer|Minimal answer|Bare answer|Nothing extra|Name or number|Keyword only")
ENOUGH = ("A word is enough|One word is enough|Two words are enough|A few words are enough|A few words suffice|A phrase will do|A keyword will do|"
          "A name or number will do|A fragment is fine|A single phrase is fine|The bare fact is enough|The plain value, please|"
          "The name or value is all I need|Skip the sentence|Leave out the sentence|Drop the rest|Save the words|Don't write a sentence|"
          "Do not write a sentence|Do not use a full sentence|No whole sentence|No sentence needed|No explanation|No frills|No padding|No extra words|"
          "No more words than needed|No talking around it|Be concise|Be succinct|Be short|Stay brief|Stay short|Keep to the fact|Keep to the value|"
          "Keep it brief|Keep it concise|Keep it tight|Make it short|Make it brief|Short and plain|Short and sweet|Short, please|Brief, please|"
          "Concise, please|Quick answer, please|The shortest answer, please|The shorter the better|I have little time|As short as possible|"
          "Nothing more, nothing less|Nothing besides|And nothing besides that|Only what is asked|Only that|Only the fact|Give the value alone|"
          "Give the phrase alone|Reply with a phrase|Reply in note form|Answer in note form|Answer with a phrase|Answer in keywords|Use few words|"
          "Use as few words as you can|Omit the rest|Minimal, please|Spare me the sentence")
SHORT = (
    f"[{BRIEFLY}][, |: ]{{direct}}?", f"[{BRIEFLY}], please: {{direct}}?", f"{{Direct}}? [{ENOUGH}].", f"{{Direct}}? [{ENOUGH}].", f"[{ENOUGH}]: {{direct}}?",
    f"[{ENOUGH}]. {{Direct}}?", f"{{direct}}? [{ENOUGH}].",
    f"{{Direct}}, [{lowered(BRIEFLY)}]?", f"[{TELL}] {{indirect}}, [{lowered(BRIEFLY)}].", f"[{WONDER}] {{indirect}}. [{ENOUGH}].",
    f"[{TELL}] {{indirect}}. [{ENOUGH}].",
)
NOUN_SHORT = (
    f"[{BRIEFLY}][, |: ]{{noun}}[?|.|, please.]", f"{{Noun}}, [{lowered(BRIEFLY)}][.|?]", f"{{Noun}}? [{ENOUGH}].", f"[{GET}] {{noun}}. [{ENOUGH}].",
    f"[{GET}] {{noun}}, [{lowered(BRIEFLY)}].", f"[{ENOUGH}]: {{noun}}.",
    f"[{GET}] [only|just|merely|simply|no more than|nothing but|nothing except] {{noun}}[.|, please.|!]",
    f"[{WILL}] [{lowered(GET)}] [only|just|nothing but] {{noun}}.",
    "[Only|Just|Merely|Simply|Nothing but|No more than|Nothing except] {noun}[.|, please.|!|, thanks.]",
    "{Noun}[ alone| only| by itself| and nothing besides|, nothing around it|, bare|, without a sentence|, no sentence][.|, please.|]",
)

DOCUMENT = (        # the document with a question behind or in front of it
    "[My notes|The article|The letter|A report|An excerpt|Some lines|The manual|The page|What I found|The mail|A chapter|The log|The minutes|The chat|"
    "Raw text|Source text|The handout|A leaflet][:|:| follows.| is below.| comes first.]\n\n{document}{question}",
    "[Consider|Take|See|Use|Mind|Examine|Scan|Skim|Go over|Work through|Check] the [following|text below|lines below|page below|notes below][.|"
    ":]\n\n{document}{question}",
    "[I was sent|Somebody sent me|I received|I got|A friend gave me|They handed out|I am reading|We are reading|We were given] [this|the following|"
    "this text|this page|these lines].\n\n{document}{question}",
    "{document}[So much for the text.|End of the text.|That was the text.|That is all I have.|That is the whole page.|End.|***|___|-----|(end)|THE END|"
    "EOF] {question}", "{document}[Now the question|Now to my question|Thus my question|Hence my question|Task|Query|Q|Me|User]: {question}",
    "{document}[About this|On this|Regarding this|With regard to the above|As to the above|For the above]: {question}",
    "[BEGIN|START|TEXT|>>>|<<<|###|***|(text)|<page>|<file>|<input>]\n{document}[END|STOP|<<<|>>>|###|***|(/text)|</page>|</file>|</input>]\n\n{question}",
    "{question}\n\n[Here is|This is|Use|Take|It is all in|You find it in|The answer is in|See] [the text|the page|my text|what I have|the document|"
    "the following][:|.]\n\n{document}", "{question}\n---\n{document}",
    "[First the question|The question first|Question first|In advance|Up front|My question]: {question}\n\n[Now the text|Then the text|The text|Text|"
    "Page]:\n\n{document}",
    "{question}\n\n\"\"\"\n{document}\"\"\"", "{question} [See below.|It should be below.|The text is below.|Text follows.|Please read this:]\n\n{document}",
    "[Note|Memo|Attachment|Appendix|Paste|Clipboard|Exhibit A|Figure 1|Document 1|Doc|Text 1]\n\n{document}[Q|Question|?|Task|Request][:| -|.] {question}",
)

# ---- requests for sentences of the text

CITE = ("Quote|Cite|Copy|Copy out|Repeat|Reproduce|Write out|Type out|Give me|Show me|Read me|Print|Return|Hand me|Bring me|Let me see|Let me read|"
        "Present|Put down|Set down|Transcribe|Recite|Echo|Pull out|Pick out|Take out|Dig out|Find|Find me|Search out|Look up|Locate|Point to|Spell out|"
        "Paste|Render|Deliver|Fetch")
PIECE = "sentence|sentence|sentence|statement|passage|line|bit|piece|part|spot"
HOLDS = ("that has|with|that includes|including|that carries|mentioning|that mentions|which names|that brings up|around|containing|that contains|"
         "holding|which speaks of|built around|featuring|that features|using|which uses|that makes use of|that refers to|referring to|where one finds|"
         "where I find|where you find|where we find|in which we find|in which you see|that comes with|where the author says|that talks of|bearing")
EXACT = ".|.|.|.|, please.| exactly.| word for word.| unchanged.| in full.| as it stands.| for me.| without changes.|, complete.|!"
BY_WORD = (f'[{CITE}] the [{PIECE}] [{HOLDS}] "{{x}}"[{EXACT}]', f'[{CITE}] the [{PIECE}] [{HOLDS}] the [word|term|expression|noun|name] "{{x}}"[{EXACT}]',
           f'[{WILL}] [{lowered(CITE)}] the [{PIECE}] [{HOLDS}] "{{x}}"[{EXACT}]',
           f'[Which|What] [{PIECE}] [{HOLDS.replace("that ", "").replace("which ", "").replace("where ", "is it where ")}] "{{x}}"?',
           f'"{{x}}" [turns up|comes up|crops up|is mentioned|is said|is named|was used|occurs|stands|is hidden|is written] somewhere[.|:|'
           f';] [{CITE}] the [whole |full |entire |complete |][{PIECE}][{EXACT}]',
           f'[Where|In what context|In which spot|At what point] [does|did] the [text|author|page|document] [use|mention|speak of|name|'
           f'bring up] "{{x}}"? [{CITE}] the [{PIECE}][{EXACT}]',
           f'[I remember|I recall|I noticed|I saw|There was|I am after|I look for|I have in mind] [something|a sentence|a line|a passage] [with|about|'
           f'using] "{{x}}". [{CITE}] it[{EXACT}]',
           f'Word: "{{x}}"[.|;|,] [{lowered(CITE)}] its sentence[{EXACT}]',
           f'[For|As to|Concerning|As for|Regarding|About] "{{x}}": [{lowered(CITE)}] the [{PIECE}][{EXACT}]')
BY_START = (f'[{CITE}] the [{PIECE}] [beginning with|that begins with|starting with|that starts off with|that sets off with|opening with|'
            f'whose start is|whose opening words are|that kicks off with] "{{x}}"[{EXACT}]',
            f'"{{x}} ..." [{CITE}] [all of it|the rest, too|the whole of it|it to the end|the full thing|the complete sentence][{EXACT}]',
            f'[One sentence|Some line|A statement|A passage] [starts|begins|opens] with "{{x}}". [{CITE}] it[{EXACT}]',
            f'[{WILL}] [{lowered(CITE)}] the sentence [starting|beginning] "{{x}}"[{EXACT}]',
            '[Carry on|Go ahead|Keep going] from "{x}" to the [full stop|end of the sentence|period][.|, please.]')
BY_NEXT = (f'[{CITE}] the [{PIECE}] [after|behind|following|right after|directly behind|next to|that comes on the heels of|that continues] [this one: |'
           f']"{{x}}"',
           '[What|Which sentence] [is said|is written|stands|comes|is told] [immediately|directly|right|straight] [after|behind] "{x}"?',
           '[First comes|The text says|I am at|I have read up to|We stopped at] "{x}" [What is next?|And next?|What comes now?|What follows?|'
           'Go one sentence on.|Give me the next one.]',
           f'[{WILL}] [{lowered(CITE)}] what [follows|comes next] after "{{x}}"')
BY_FACT = (f"[{CITE}] the [{PIECE}] [that tells|which tells|that says|saying|telling|that reveals|that shows|showing|from which we know|"
           f"that lets us know|where it says|where we are told|that makes clear|that answers] {{x}}[{EXACT}]",
           f"[{WILL}] [{lowered(CITE)}] the [{PIECE}] [that tells|that says|telling|showing|where it says] {{x}}[{EXACT}]",
           f"[What|Which] [{PIECE}] [tells|reveals|makes clear|lets us know|informs us|gives away|spells out] {{x}}?",
           f"[Where|At which point] [is|does] it [said|say|told|written] {{x}}? [{CITE}] [it|that|the words][{EXACT}]",
           f"[I want proof|I need evidence|I want a source|Back it up|Support it|Give evidence]: [{lowered(CITE)}] the [{PIECE}] [that says|"
           f"telling] {{x}}[{EXACT}]",
           f"[I doubt|I want to check|They question|It is disputed|Nobody believes me|I must prove] {{x}}. [{CITE}] the [{PIECE}][{EXACT}]")
LINE = (f"[{CITE}] line [|number |no. |#]{{n}}[{EXACT}]", f"[{WILL}] [{lowered(CITE)}] line {{n}}[{EXACT}]",
        f"[{CITE}] the [words|text|content|contents|wording] of line {{n}}[{EXACT}]",
        "[What|Which words] [is written|is there|stands|stand|do I see|do we read|does one find] [in|on|at|under] [line|number|no.|row] {n}?",
        f"[{CITE}] what [is written|stands|it says] [in|on] line {{n}}[{EXACT}]",
        "[Line|Row|Number|No.|#]{n}[?|.|, please.|!]".replace("]{n}", "] {n}"),
        "[The text of|The words of|The content of|The wording of|What about|How about|Now|Then|Next] line {n}[.|?|, please.]",
        f"[Jump|Scroll|Turn|Move|Skip|Proceed] to line {{n}}[.| and| then] [{lowered(CITE)}] [it|that line][{EXACT}]",
        "[Line|Row] {n} [reads|says|goes|runs] [what|how]?",
        f"[I lost|I need|I misplaced|I am missing|I want to check|I want to see] line {{n}}. [{CITE}] it[{EXACT}]")
WRITE = CITE.replace("|Find|Find me|Search out|Look up|Locate|Point to", "")              # what to do with a text that is there already
REPEAT = (f"[{WRITE}] [this|the following|the text below|what follows|these words|this passage|the lines below|the next lines|all of this][:|"
          f"{lowered(' exactly:| word for word:| letter by letter:| unchanged:| once:| again:| as is:| for me:|, please:')}]\n\n{{x}}",
          f"{{x}}\n\n[{WRITE}] [this|that|it|all that|the above|the text above|what stands above|these words][{EXACT}]",
          "[I will give you a text|Here comes a text|A text follows|Next comes a text|This is a text]. [Your reply should be the same text|"
          "Answer with exactly that text|Send the same text back|Say it back to me|Type the identical text|Return it untouched].\n\n{x}",
          "[Send|Give|Say|Type|Write|Play|Read] [this|it|the following] back[ to me|]:\n\n{x}",
          "[Make|Produce|Create|I want|I need|Give me] [an exact|a true|a faithful|a perfect|an identical|one more|a second] copy of [this|"
          "the following|the text below]:\n\n{x}",
          "[Be|Act as|You are] [a copying machine|an echo|a parrot|a typist|a copier].[\n\n| Input:\n\n| Text:\n\n]{x}",
          "{x}\n\n[The same again|Same text|Say that again|Type that again|Once more|An exact copy|Echo|Copy, please|Back to me][.|, please.|!]",
          '[Type|Say|Write|Print|Send] the [words|text] "{x}"[.| and nothing else.| exactly.|, please.]')

# ---- things people say in front of a question that have nothing to do with it

KIN = ("aunt uncle boss teacher neighbor friend sister brother cousin colleague mother father client nephew niece roommate doctor grandmother "
       "landlord coach").split()
DOING = ("reading about|thinking of|talking about|writing about|looking for|cleaning|drawing|repairing|selling|painting|asking for|"
         "dreaming of|waiting for|packing|carrying|describing|photographing|studying|counting|collecting").split("|")


def chatter(r, split):
    """A sentence that says something about the speaker's day, with words of all kinds."""
    noun, adjective = lexicon.lemma(r, split, "thing"), lexicon.lemma(r, split, "adjective")
    someone = r.choice((names.draw(r, split, "first"), f"my {r.choice(KIN)}", f"the {names.draw(r, split, 'profession')}"))
    kind = r.randrange(9)
    return (lambda: f"I was {r.choice(DOING)} the {noun} when this came up.", lambda:
    f"{someone[0].upper() + someone[1:]} is {r.choice(DOING)} a {adjective} {noun} and needs this.",
            lambda: f"We had {names.draw(r, split, 'food')} and got to talk about it.", lambda: f"I promised {someone} to look into this.", lambda:
            f"This is for a {noun} project.",
            lambda: f"It is {r.choice(('late', 'early', 'cold', 'hot', 'noisy', 'quiet', 'dark'))} "
            f"here and I am {r.choice(('tired', 'busy', 'hungry', 'new', 'lost', 'curious', 'bored', 'alone'))}.",
            lambda: f"I work as a {names.draw(r, split, 'profession')} in {names.draw(r, split, 'city')}.", lambda:
            f"{someone[0].upper() + someone[1:]} sent me this on {r.choice(names.WEEKDAY)}.",
            lambda: f"Somehow I keep {r.choice(DOING)} {noun}s.")[kind]()
