# SPDX-License-Identifier: Apache-2.0
"""Arithmetic with digit-by-digit traces, small word problems, and dates."""
from dialog import Dialog
from tasks import lexicon, names
from tasks.facts import plural
from tasks.frames import frame
from tasks.lists import until_full
from tasks.questions import family

# ---- arithmetic ---------------------------------------------------------------------------------------------------

CALCULATE = ('[What does|How much does] {x} [give|equal|come to|yield]?',
       '[Result|Answer|Solution] [of|for|to] {x}[?|.|, please.]',
       '[I need|Give me|Let me have] {x} [worked out|calculated|solved].',
       '{x} [is|makes|equals|gives] [what|how much]?',
       '[Do|Try|Take|Here is|Next up:] {x}[.|!]',
       '[How much|What] [would|will] {x} be?',
       '[Exercise|Problem|Task|Question|Math]: {x}[.|?| = ?]',
       '[Help me with|Do you know|Can you do|Could you do] {x}[.|?]',
       '[Say|Write|Type] what {x} [is|makes|gives].',
       '[Number please|The number]: {x}',
       '{x}, [what is that|how much is that|what does it make]?',
       "[What is|What's|How much is] {x}?", "[Calculate|Compute|Work out|Solve|Evaluate|Determine] {x}[.|, please.]",
             "{x} =[ ?|]", "{x}[|?]",
             "[Please|Now|Next,|OK,] [calculate|compute|work out|solve] {x}.",
             "[Tell me|Give me|Find|I need|Show me] the [result|value|answer] [of|for] {x}.",
             "[Can|Could|Would] you [please |][calculate|compute|work out|solve] {x}?",
             "[What do you get|What comes out|What is the result] [for|of] {x}?", "[I need|I want to know] {x}.", "[And|So] {x}?",
             "Find {x}.", "What does {x} make?")
RESULT = "{x} = {y}"


def backwards(n):
    """The digits from the right, as the steps use them: "407: 7 0 4." """
    return f"{n}: {' '.join(str(n)[::-1])}."


def add_trace(a, b):
    """Digits from the right: "7 + 5 + 0 = 12, write 2, carry 1." """
    steps, carry = [backwards(a), backwards(b)], 0
    for i in range(max(len(str(a)), len(str(b)))):
        p, q = a // 10 ** i % 10, b // 10 ** i % 10
        s = p + q + carry
        steps.append(f"{p} + {q} + {carry} = {s}, write {s % 10}, carry {s // 10}.")
        carry = s // 10
    if carry:
        steps.append(f"Write {carry}.")
    return " ".join(steps)


def subtract_trace(a, b):
    """a >= b"""
    steps, borrow = [backwards(a), backwards(b)], 0
    for i in range(len(str(a))):
        p, q = a // 10 ** i % 10, b // 10 ** i % 10
        d = p - q - borrow
        taken = f"{p} - {q} - {borrow} = {d}"
        borrow = int(d < 0)
        steps.append(f"{taken}, write {d + 10 * borrow}, borrow {borrow}.")
    return " ".join(steps)


def multiply_trace(a, b):
    """b has one digit"""
    steps, carry = [backwards(a)], 0
    for i in range(len(str(a))):
        p = a // 10 ** i % 10
        s = p * b + carry
        steps.append(f"{p} * {b} = {p * b}, {p * b} + {carry} = {s}, write {s % 10}, carry {s // 10}.")
        carry = s // 10
    if carry:
        steps.append(f"Write {carry}.")
    return " ".join(steps)


def number(r, digits):
    n = r.randint(1, digits)
    return r.randint(10 ** (n - 1) if n > 1 else 0, 10 ** n - 1)


def sum_turn(r, split, digits):
    a, b = number(r, digits), number(r, digits)
    if r.random() < 0.55:
        x, y, trace = f"{a} + {b}", a + b, add_trace(a, b)
    else:
        a, b = max(a, b), min(a, b)
        x, y, trace = f"{a} - {b}", a - b, subtract_trace(a, b)
    return frame(r, split, CALCULATE).format(x=x), RESULT.format(x=x, y=y), trace


def product_turn(r, split, digits):
    a, b = number(r, digits), r.randint(2, 9)
    sign = r.choice(("*", "*", "x", "times"))
    y = a * b
    x = f"{a} {sign} {b}" if r.random() < 0.7 else f"{b} {sign} {a}"
    return frame(r, split, CALCULATE).format(x=x), RESULT.format(x=x, y=y), multiply_trace(a, b)


GAIN = ('{p} [starts with|has] {a} {thing}, then [adds|gets] {b}. [What is the total|How many are there]?',
       '[First|At first] there are {a} {thing}, later {b} [more|others] come. How many [is that|are there] [in all|together]?',
       '{a} {thing} and {b} {thing} [lie|are] on the table. How many [are there|is that] [together|in all]?',
       "{p} has {a} {thing} and [gets|buys|finds|receives] {b} more. How many {thing} does {p} have [now|in the end]?",
        "[There are|We had] {a} {thing}. {p} [brings|adds] {b}. How many {thing} are there now?",
        "{p} [collected|counted] {a} {thing} on Monday and {b} on Tuesday. How many {thing} is that?",
        "How many {thing} does {p} have after getting {b} more, with {a} at the start?",
        "{p} owns {a} {thing}. Then {b} more arrive. How many {thing} are there?")
LOSS = ('{p} has {a} {thing} and [drops|eats up|gives back|burns] {b} of them. How many [are there now|has {p} left|remain]?',
       '{a} {thing} were there, {b} [are gone|were taken]. How many are [still there|left]?',
       "{p} had {a} {thing} and [gave away|sold|lost|used] {b}. How many [are left|remain]?",
        "There were {a} {thing}. {p} [took|removed|broke] {b}. How many {thing} [are left|remain]?",
        "[Of|Out of] {a} {thing}, {p} [sold|threw away] {b}. How many are left?",
        "{b} of {a} {thing} were stolen. How many are left?", "{p} starts with {a} {thing} and loses {b}. How many are left?")
TIMES = ('[Every|Each] [box|bag|shelf] has {a} {thing}. There are {n} of them. How many {thing} is that [in all|together]?',
       '{n} times {a} {thing}: how many {thing} [is that|does it make]?',
       "{p} [buys|packs|orders|fills] {n} boxes with {a} {thing} each. How many {thing} is that?",
         "[There are|We see] {n} [bags|rows|shelves] of {a} {thing} each. How many {thing} are there?",
         "{p} gets {a} {thing} every day for {n} days. How many {thing} is that?",
         "Each of {n} crates holds {a} {thing}. How many {thing} are there?",
         "{n} children bring {a} {thing} each. How many {thing} is that?")


def story_turn(r, split):
    p, thing = names.draw(r, split, "first"), plural(lexicon.lemma(r, split, r.choice(("thing", "food", "animal"))))
    a, b, n = r.randint(2, 99), r.randint(2, 99), r.randint(2, 9)
    kind = r.randrange(3)
    if kind == 0:
        question, answer, trace = GAIN, f"{a + b} {thing}.", f"{a} + {b}: {add_trace(a, b)}"
    elif kind == 1:
        a, b = max(a, b), min(a, b)
        question, answer, trace = LOSS, f"{a - b} {thing} are left.", f"{a} - {b}: {subtract_trace(a, b)}"
    else:
        question, answer, trace = TIMES, f"{a * n} {thing}.", f"{a} * {n}: {multiply_trace(a, n)}"
    return frame(r, split, question).format(p=p, a=a, b=b, n=n, thing=thing), answer, trace


COMPARE = ('Take {a} and {b}. [Which|Which one] is [more|larger|bigger|higher]?',
       '[The larger|The bigger|The greater] [of|one of] {a} and {b}[?|, please.]',
       'What is [more|larger|bigger], {a} or {b}?',
       "[Which|What|Which number|Which value] is [larger|bigger|greater|more][,|:] {a} or {b}?",
           "{a} or {b}: which [number |]is [larger|bigger|greater]?",
           "[Tell me|Say|Find] [which|which number] is [larger|bigger], {a} or {b}.",
           "Compare {a} and {b}. Which is [larger|bigger|greater]?",
           "Is {a} or {b} the larger number?", "Which one is bigger, {a} or {b}?")


def compare_turn(r, split):
    a, b = number(r, 4), number(r, 4)
    if a == b:
        b += 1
    wide = max(len(str(a)), len(str(b)))
    trace = f"{a:0{wide}}, {b:0{wide}}. Larger: {max(a, b):0{wide}}."
    return frame(r, split, COMPARE).format(a=a, b=b), f"{max(a, b)} is larger.", trace


@family("add", thinking=None)
def add(r, split, budget):
    thinking = r.random() < 0.75
    digits = 4 if thinking else 2
    turn = lambda: story_turn(r, split) if r.random() < 0.15 else compare_turn(r,
                                                                               split) if r.random() < 0.1 else sum_turn(r,
                                                                                                                        split, digits)
    return Dialog(until_full(r, split, budget, turn, thinking), thinking=thinking)


@family("mul", thinking=None)
def mul(r, split, budget):
    thinking = r.random() < 0.75
    return Dialog(until_full(r, split, budget, lambda: product_turn(r, split, 3 if thinking else 1), thinking), thinking=thinking)


# ---- dates --------------------------------------------------------------------------------------------------------

EARLIER = ('[Of|Between] {a} and {b}, which [is|was|comes] [first|earlier|sooner]?',
       'What was [first|earlier], {a} or {b}?',
       'The earlier [one|date] of {a} and {b}[?|, please.]',
       '[Name|Give me|Write] the [first|earlier] of [the two|these] dates: {a}, {b}.',
       "[Which|What|Which date|Which day] [is earlier|comes first|is first|was earlier], {a} or {b}?",
           "[Which|Which date] is [the earlier one|earlier]: {a} or {b}?",
           "[Tell me|Say|Find] the earlier [date|day|one]: {a}, {b}",
           "Which of these [dates|days] [is earlier|comes first]: {a}, {b}?",
           "{a} or {b}: which [one |date |day |]is earlier?", "{a} and {b}: which [one |]comes first?",
           "[Earlier|First]: {a} or {b}?",
           "{a} or {b}: what came before the other?", "Which date comes first: {a} or {b}?")
LATER = ('[Of|Between] {a} and {b}, which [is|was|comes] [last|later]?',
       'What was [last|later], {a} or {b}?',
       'The later [one|date] of {a} and {b}[?|, please.]',
       '[Name|Give me|Write] the [last|later] of [the two|these] dates: {a}, {b}.',
       "[Which|What|Which date|Which day] [is later|comes last|is last|was later], {a} or {b}?",
         "[Which|Which date] is [the later one|later]: {a} or {b}?",
         "[Tell me|Say|Find] the later [date|day|one]: {a}, {b}", "Which of these [dates|days] [is later|comes last]: {a}, {b}?",
         "{a} or {b}: which [one |date |day |]is later?", "{a} and {b}: which [one |]comes last?", "[Later|Last]: {a} or {b}?",
         "{a} or {b}: what came after the other?", "Which date comes last: {a} or {b}?")
CONVERT = ('{a} [should be|must be|is to be] written [as|in the form] {b}.',
       '[How|In which way] do I write {a} [as|in the form] {b}?',
       '[Form|Format] {b}, please: {a}',
       'The date is {a}. [Write|Show|Give] it [as|in the form] {b}.',
       "[Write|Give|Rewrite|Express|Show] {a} [as|in the form|in the format] {b}.",
           "[Convert|Turn|Bring|Translate] {a} [to|into] [|the form |the format ]{b}.",
           "[Write|Give|Show] the date {a} [in the form|as|in the format] {b}.", "[Can|Could] you write {a} as {b}?",
           "{a} [as|in the form] {b}[|, please]?",
           "What is {a} in the [form|format] {b}?", "Change {a} to {b}.", "Put {a} into the form {b}.")
DAYS_LATER = ('[What|Which] date is it {n} days [after|from|past] {a}?',
       '{n} days after {a}[?| is what date?|: which date?]',
       '[Go|Count] {n} days on from {a}. [What|Which] date is [it|that]?',
       "[What|Which] [date|day] is {n} days after {a}?",
              "[What|Which] [date|day] [comes|do we have|is it] {n} days after {a}?", "Add {n} days to {a}.",
              "{a} [plus|+] {n} days[?| is which date?]",
              "[It is|Today is|We have] {a}. What is the date [in {n} days|after {n} days|{n} days later]?",
              "[If today is|Starting from|Counting from] {a}, what date is it [in {n} days|{n} days later]?",
              "[Tell me|Give me|Find] the date {n} days after {a}.",
              "[Say|Work out] which date comes {n} days after {a}.",
              "It is {a}. What will the date be in {n} days?", "What is the date {n} days later than {a}?")
BETWEEN = ('{a} to {b}: how many days?',
       '[Number of|How many] days between {a} and {b}?',
       'How many days lie from {a} up to {b}?',
       'If it is {a}, how many days [remain|are left] until {b}?',
       "How many days [are there|is it|are] from {a} to {b}?", "How many days [lie|are|pass] between {a} and {b}?",
           "[Count|Work out|Find|Tell me] the [number of |]days from {a} to {b}.",
           "From {a} to {b}[, how many days|: how many days][ is that|]?",
           "How [long|many days] is it from {a} until {b}, in days?",
           "[It is|Today is] {a}. How many days [are there until|is it until|until] {b}?",
           "How many days after {a} is {b}?", "What is the number of days from {a} to {b}?")
WEEKDAY = ('[What|Which] weekday [will it be|is it] {n} days [after|from] {a}?',
       '{a} and then {n} days [more|on]: which [day|weekday] is that?',
       '[Start|Begin] on {a} and [go|count] {n} days. [Which|What] [day|weekday] [is it|do you get]?',
       "[Today is|It is|We have] {a}. [What|Which] day [is it|do we have|will it be] in {n} days?",
           "If today is {a}, [which|what] [day|weekday] is it in {n} days?",
           "[It is|Today is] {a}. [Which|What] [weekday|day] [comes|is] {n} days later?",
           "[What|Which] [day|day of the week] [is|comes] {n} days after {a}?",
           "{n} days after {a}: [which|what] [weekday|day]?", "[Count|Go] {n} days on from {a}. Which [weekday|day] is it?",
           "{a} plus {n} days: which weekday?", "Which weekday is {n} days after {a}?")
FORMS = {"year-month-day": "{y}-{m:02}-{d:02}", "day.month.year": "{d}.{m}.{y}", "month day, year": "{M} {d}, {y}",
         "day month year": "{d} {M} {y}"}


def form(shape, y, m, d):
    return FORMS[shape].format(y=y, m=m, d=d, M=names.MONTH[m - 1])


def random_day(r):
    m = r.randint(1, 12)
    return r.randint(1850, 2035), m, r.randint(1, names.MONTH_DAYS[m - 1])


def plainly(day):
    """A date as year, month and day of two digits, which compare from the left."""
    y, m, d = day
    return f"{y} {m:02} {d:02}"


def order_turn(r, split):
    shape = r.choice(list(FORMS))
    a, b = random_day(r), random_day(r)
    if r.random() < 0.5:
        b = a[0], b[1], b[2]
    if a == b:
        return order_turn(r, split)
    early = r.random() < 0.5
    x, y = form(shape, *a), form(shape, *b)
    trace = f"{plainly(a)}, {plainly(b)}. {'Earlier' if early else 'Later'}: {plainly(min(a, b) if early else max(a, b))}."
    return frame(r, split, EARLIER if early else LATER).format(a=x, b=y), f"{x if (a < b) == early else y}", trace


def convert_turn(r, split):
    one, two = r.sample(list(FORMS), 2)
    day = random_day(r)
    y, m, d = day
    trace = f"Year {y}, month {m}, {names.MONTH[m - 1]}, day {d}."
    return frame(r, split, CONVERT).format(a=form(one, *day), b=two), form(two, *day), trace


def later_turn(r, split):
    m, n = r.randint(1, 11), r.randint(1, 40)
    d = r.randint(1, names.MONTH_DAYS[m - 1])
    length = names.MONTH_DAYS[m - 1]
    month, day, trace = m, d + n, [f"{names.MONTH[m - 1]} has {length} days. {d} + {n} = {d + n}."]
    while day > length:
        trace.append(f"{day} - {length} = {day - length}.")
        day, month = day - length, month + 1
        if month > 12:
            return later_turn(r, split)
        length = names.MONTH_DAYS[month - 1]
        trace.append(f"{names.MONTH[month - 1]} has {length} days.")
    return frame(r, split, DAYS_LATER).format(n=n,
                                              a=f"{names.MONTH[m - 1]} {d}"), f"{names.MONTH[month - 1]} {day}", " ".join(trace)


def in_days(n):
    return f"{n} day" if n == 1 else f"{n} days"


def between_turn(r, split):
    m = r.randint(1, 11)
    length = names.MONTH_DAYS[m - 1]
    month = names.MONTH[m - 1]
    if r.random() < 0.5:
        a, b = sorted(r.sample(range(1, length + 1), 2))
        return frame(r, split, BETWEEN).format(a=f"{month} {a}", b=f"{month} {b}"), in_days(b - a), f"{b} - {a} = {b - a}."
    a, b = r.randint(1, length), r.randint(1, names.MONTH_DAYS[m])
    rest = length - a
    trace = f"{month} has {length} days. {length} - {a} = {rest}. {rest} + {b} = {rest + b}."
    return frame(r, split, BETWEEN).format(a=f"{month} {a}", b=f"{names.MONTH[m]} {b}"), in_days(rest + b), trace


def weekday_turn(r, split):
    i, n = r.randrange(7), r.randint(1, 30)
    rest = n % 7
    steps = [names.WEEKDAY[(i + k) % 7] for k in range(rest + 1)]
    trace = (f"{n} - {n - rest} = {rest}. " if n > 6 else "") + ", ".join(f"{k} {day}" for k, day in enumerate(steps)) + "."
    return frame(r, split, WEEKDAY).format(a=names.WEEKDAY[i], n=n), steps[-1], trace


@family("dates", thinking=None)
def dates(r, split, budget):
    thinking = r.random() < 0.65
    kinds = (order_turn, convert_turn, later_turn, between_turn, weekday_turn)
    return Dialog(until_full(r, split, budget, lambda: r.choice(kinds)(r, split), thinking), thinking=thinking)


FAMILIES = {"add": add, "mul": mul, "dates": dates}
