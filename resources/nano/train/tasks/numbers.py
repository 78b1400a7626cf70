# SPDX-License-Identifier: Apache-2.0
"""Arithmetic with digit-by-digit traces, small word problems, and dates."""
from dialog import Dialog
from tasks import names
from tasks.lists import until_full
from tasks.questions import family, frame

# ---- arithmetic ---------------------------------------------------------------------------------------------------

CALCULATE = ("What is {x}?", "Calculate {x}.", "{x} = ?", "How much is {x}?", "{x}", "Compute {x}.", "Work out {x}.",
             "Please calculate {x}.", "Tell me the result of {x}.",
             "What do you get for {x}?", "Solve {x}.", "Can you calculate {x}?", "Find {x}.", "What does {x} make?")
RESULT = "{x} = {y}"


def add_trace(a, b):
    """Digits from the right: "7 + 5 = 12, write 2, carry 1." """
    steps, carry = [], 0
    for i in range(max(len(str(a)), len(str(b)))):
        p, q = a // 10 ** i % 10, b // 10 ** i % 10
        s = p + q + carry
        steps.append(f"{p} + {q}{f' + {carry}' if carry else ''} = {s}, write {s % 10}{f', carry {s // 10}' if s > 9 else ''}.")
        carry = s // 10
    if carry:
        steps.append(f"Write {carry}.")
    return " ".join(steps)


def subtract_trace(a, b):
    """a >= b"""
    steps, borrow = [], 0
    for i in range(len(str(a))):
        p, q = a // 10 ** i % 10, b // 10 ** i % 10
        taken = f"{p} - {q}{f' - {borrow}' if borrow else ''}"
        d = p - q - borrow
        borrow = int(d < 0)
        steps.append(f"{taken} = {d}, write {d + 10}, borrow 1." if borrow else f"{taken} = {d}, write {d}.")
    return " ".join(steps)


def multiply_trace(a, b):
    """b has one digit"""
    steps, carry = [], 0
    for i in range(len(str(a))):
        p = a // 10 ** i % 10
        s = p * b + carry
        shown = f"{p} * {b} = {p * b}" + (f", {p * b} + {carry} = {s}" if carry else "")
        steps.append(f"{shown}, write {s % 10}{f', carry {s // 10}' if s > 9 else ''}.")
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


def story_turn(r, split):
    p, q = names.draw(r, split, "first"), names.draw(r, split, "first")
    thing = r.choice(("apples", "coins", "books", "stamps", "marbles", "tickets", "eggs", "cards", "pens", "shells"))
    a, b = r.randint(2, 99), r.randint(2, 99)
    kind = r.randrange(4)
    if kind == 0:
        return f"{p} has {a} {thing} and gets {b} more. How many {thing} does {p} have now?", f"{p} now has {a + b} {thing}.", f"{a} + {b}: {add_trace(a, b)}"
    if kind == 1:
        a, b = max(a, b), min(a, b)
        return f"{p} had {a} {thing} and gave away {b}. How many are left?", f"{a - b} {thing} are left.", f"{a} - {b}: {subtract_trace(a, b)}"
    if kind == 2:
        n = r.randint(2, 9)
        return f"{p} buys {n} boxes with {a} {thing} each. How many {thing} is that?", f"That is {a * n} {thing}.", f"{a} * {n}: {multiply_trace(a, n)}"
    if p == q:
        return story_turn(r, split)
    return f"{p} has {a} {thing} and {q} has {b}. How many do they have together?", f"Together they have {a + b} {thing}.", f"{a} + {b}: {add_trace(a, b)}"


COMPARE = ("Which is larger, {a} or {b}?", "Which number is larger: {a} or {b}?", "What is more, {a} or {b}?",
           "{a} or {b}: which is larger?", "Is {a} or {b} the larger number?", "Which one is bigger, {a} or {b}?")


def compare_turn(r, split):
    a, b = number(r, 4), number(r, 4)
    if a == b:
        b += 1
    return frame(r, split, COMPARE).format(a=a, b=b), f"{max(a, b)} is larger.", ""


@family("add", thinking=None)
def add(r, split, budget):
    thinking = r.random() < 0.75
    digits = 4 if thinking else 2
    turn = lambda: story_turn(r, split) if r.random() < 0.15 else compare_turn(r,
                                                                               split) if r.random() < 0.1 else sum_turn(r,
                                                                                                                        split, digits)
    return Dialog(until_full(budget, turn, thinking), thinking=thinking)


@family("mul", thinking=None)
def mul(r, split, budget):
    thinking = r.random() < 0.75
    return Dialog(until_full(budget, lambda: product_turn(r, split, 3 if thinking else 1), thinking), thinking=thinking)


# ---- dates --------------------------------------------------------------------------------------------------------

EARLIER = ("Which date is earlier, {a} or {b}?", "Which comes first, {a} or {b}?", "What is earlier: {a} or {b}?",
           "Which of these dates is earlier: {a}, {b}?", "{a} or {b}: which one is earlier?",
           "Which date comes first: {a} or {b}?")
LATER = ("Which date is later, {a} or {b}?", "Which comes last, {a} or {b}?", "What is later: {a} or {b}?",
         "Which of these dates is later: {a}, {b}?", "{a} or {b}: which one is later?",
         "Which date comes last: {a} or {b}?")
CONVERT = ("Write {a} as {b}.", "Convert {a} to the form {b}.", "Write the date {a} in the form {b}.",
           "How is {a} written as {b}?", "Change {a} to {b}.", "Put {a} into the form {b}.")
DAYS_LATER = ("What date is {n} days after {a}?", "Which date comes {n} days after {a}?", "Add {n} days to {a}.",
              "{a} plus {n} days?", "It is {a}. What is the date in {n} days?", "What is the date {n} days later than {a}?")
BETWEEN = ("How many days are there from {a} to {b}?", "How many days lie between {a} and {b}?",
           "Count the days from {a} to {b}.", "From {a} to {b}, how many days?", "How many days is it from {a} until {b}?",
           "What is the number of days from {a} to {b}?")
WEEKDAY = ("Today is {a}. What day is it in {n} days?", "If today is {a}, which day is it in {n} days?",
           "It is {a}. Which weekday comes {n} days later?", "What day is {n} days after {a}?",
           "{a} plus {n} days: which weekday?",
           "Which weekday is {n} days after {a}?")
FORMS = {"year-month-day": "{y}-{m:02}-{d:02}", "day.month.year": "{d}.{m}.{y}", "month day, year": "{M} {d}, {y}",
         "day month year": "{d} {M} {y}"}


def form(shape, y, m, d):
    return FORMS[shape].format(y=y, m=m, d=d, M=names.MONTH[m - 1])


def random_day(r):
    m = r.randint(1, 12)
    return r.randint(1850, 2035), m, r.randint(1, names.MONTH_DAYS[m - 1])


def order_turn(r, split):
    shape = r.choice(list(FORMS))
    a, b = random_day(r), random_day(r)
    if r.random() < 0.5:
        b = a[0], b[1], b[2]
    if a == b:
        return order_turn(r, split)
    early = r.random() < 0.5
    x, y = form(shape, *a), form(shape, *b)
    return frame(r, split, EARLIER if early else LATER).format(a=x, b=y), f"{x if (a < b) == early else y}", ""


def convert_turn(r, split):
    one, two = r.sample(list(FORMS), 2)
    day = random_day(r)
    return frame(r, split, CONVERT).format(a=form(one, *day), b=two), form(two, *day), ""


def later_turn(r, split):
    m, n = r.randint(1, 11), r.randint(1, 40)
    d = r.randint(1, names.MONTH_DAYS[m - 1])
    month, day, trace = m, d + n, [f"{d} + {n} = {d + n}."]
    while day > names.MONTH_DAYS[month - 1]:
        length = names.MONTH_DAYS[month - 1]
        trace.append(f"{names.MONTH[month - 1]} has {length} days. {day} - {length} = {day - length}.")
        day, month = day - length, month + 1
        if month > 12:
            return later_turn(r, split)
    return frame(r, split, DAYS_LATER).format(n=n, a=f"{names.MONTH[m - 1]} {d}"), f"{names.MONTH[month - 1]} {day}", " ".join(trace)


def between_turn(r, split):
    m = r.randint(1, 11)
    length = names.MONTH_DAYS[m - 1]
    month = names.MONTH[m - 1]
    if r.random() < 0.5:
        a, b = sorted(r.sample(range(1, length + 1), 2))
        return frame(r, split, BETWEEN).format(a=f"{month} {a}", b=f"{month} {b}"), f"{b - a} days", f"{b} - {a} = {b - a}."
    a, b = r.randint(1, length), r.randint(1, names.MONTH_DAYS[m])
    rest = length - a
    trace = f"{month} has {length} days. {length} - {a} = {rest}. {rest} + {b} = {rest + b}."
    return frame(r, split, BETWEEN).format(a=f"{month} {a}", b=f"{names.MONTH[m]} {b}"), f"{rest + b} days", trace


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
    return Dialog(until_full(budget, lambda: r.choice(kinds)(r, split), thinking), thinking=thinking)


FAMILIES = {"add": add, "mul": mul, "dates": dates}
