# SPDX-License-Identifier: Apache-2.0
"""Pages as people paste them: minutes, invitations, offers, notices, reports, profiles, recipes and travel plans.

Each kind of page has facts that may be stated or left out, so the same question is answered on one page and declined on
the next.
"""
from dialog import Split, Turn
from tasks import lexicon, names
from tasks.facts import capital, stop
from tasks.frames import expand
from tasks.questions import UNKNOWN, cost, family, size, with_document


def _thing(r, split):
    adjective = names.adjective(r, split)
    return f"{'an' if adjective[0] in 'aeiou' else 'a'} {adjective} {lexicon.lemma(r, split, 'thing')}"


_DAY = lambda r, s: names.day(r) if r.random() < 0.5 else names.date(r) if r.random() < 0.5 else f"{r.choice(names.WEEKDAY)}, {names.day(r)}"
_HOUR, _MONEY, _CODE = (lambda r, s: names.hour(r)), (lambda r, s: names.money(r)), (lambda r, s: lexicon.code(r))
_PHONE = lambda r, s: f"555-{names.digits(r, 4, 4)}" if r.random() < 0.5 else f"0{names.digits(r, 3, 4)} {names.digits(r, 5, 6)}"
_MINUTES = lambda r, s: f"{r.randint(2, 18) * 5} minutes"
_WEEKDAY = lambda r, s: r.choice(names.WEEKDAY)
_FOOD = lambda r, s: names.draw(r, s, "food")
_ROOM = lambda r, s: f"room {r.randint(1, 480)}" if r.random() < 0.4 else names.place(r, s)
_STREET = lambda r, s: f"{r.randint(1, 190)} {names.town(r, s)} {r.choice(('Street', 'Road', 'Lane', 'Avenue'))}"
_TOPIC = lambda r, s: f"the {names.adjective(r, s)} {lexicon.lemma(r, s)}"
_MAIL = lambda r, s: f"{names.draw(r, s, 'first').lower()}@{lexicon.invented(r, s)}.{r.choice(('org', 'com', 'net'))}"

# kind -> (titles, label -> (sentences, questions, answer, value)); {v} is the value, the last question is TEST only
PAGES = {
    "minutes": (("Minutes of the meeting", "Meeting notes", "Team meeting", "Notes"), {
        "Date": (("[The meeting took place|We met|The team met] on {v}.", "Date of the meeting: {v}."),
                 ("[When|On which day|On what date] [was|did they hold] the meeting?", "What is the date of the meeting?",
                  "When did [they|the team] meet?"), "The meeting was on {v}.", _DAY),
        "Place": (("[It was held|The meeting was held|Everybody met] in {v}.",),
            ("[Where|In which place] [was the meeting|did they meet|did the meeting take place]?", "Where was it held?"),
            "The meeting was in {v}.", _ROOM),
        "Chair": (("{v} [chaired|led|opened] the meeting.", "The meeting was led by {v}."),
            ("Who [chaired|led|opened|ran] the meeting?", "[Name|Tell me] the chair of the meeting.",
             "Who was in charge of the meeting?"),
            "{v} led the meeting.", names.person),
        "Minutes taken by": (("{v} [took|wrote|kept] the minutes.",),
            ("Who [took|wrote|kept] the minutes?", "Who wrote everything down?"),
            "{v} wrote the minutes.", names.person),
        "Absent": (("{v} [was absent|could not come|sent apologies|was ill].",),
            ("Who [was absent|was missing|could not come|did not come]?", "Who was not there?"),
            "{v} was absent.", names.person),
        "Topic": (("The main [topic|point|subject] was {v}.", "[They|We] talked about {v}."),
            ("What was the [main topic|topic|subject|main point]?", "What did they [talk about|discuss]?",
             "What was the meeting about?"),
            "The main topic was {v}.", _TOPIC),
        "Budget": (("The [team|group|board] [approved|agreed on|set] a budget of {v}.",),
            ("[How large|How big] is the budget?", "[What|Which] budget [was approved|was agreed on|did they set]?",
             "How much money was approved?"),
            "The budget is {v}.", _MONEY),
        "Next meeting": (("The next meeting [is|will be|takes place] on {v}.",),
            ("When is the next [meeting|one]?", "[When|On which date] do they meet [again|next]?",
             "What is the date of the next meeting?"),
            "The next meeting is on {v}.", _DAY),
        "Wi-Fi password": (("The [new |]Wi-Fi password is {v}.",),
            ("What is the [new |]Wi-Fi password?", "[Tell me|Give me] the password of the Wi-Fi.",
             "Which password does the Wi-Fi have?"),
            "The Wi-Fi password is {v}.", lambda r, s: lexicon.token(r, s))}),
    "invitation": (("Invitation", "You are invited", "Summer party", "Save the date"), {
        "Date": (("[The party is|We celebrate|The party takes place] on {v}.",),
            ("[When|On which day|On what date] is the party?", "What is the date of the party?"),
            "The party is on {v}.", _DAY),
        "Start": (("[It starts|The party starts|Doors open|We begin] at {v}.",),
            ("[When|At what time] does [it|the party] [start|begin]?", "What time does the party start?"),
            "The party starts at {v}.", _HOUR),
        "Place": (("[It takes place|We meet|Join us|Come to the party] in {v}.",),
            ("Where [is the party|does it take place|do they meet|is it held]?", "What is the place of the party?"),
            "The party is in {v}.", names.place),
        "Host": (("{v} [is the host|invites you|is giving the party].",),
            ("Who [is the host|invites us|gives the party|is giving the party]?", "Whose party is it?"),
            "{v} is the host.", names.person),
        "Ticket": (("[A ticket costs|Entrance is|The ticket price is] {v}.",),
            ("How much is a ticket?", "What does a ticket cost?", "What is the price of a ticket?",
             "How much does it cost to get in?"),
            "A ticket costs {v}.", _MONEY),
        "Bring": (("Please bring {v}.", "[Do not forget|Remember] to bring {v}."),
            ("What [should|must|do] [we|I|guests] bring?", "What are guests asked to bring?"),
            "Guests should bring {v}.", _thing),
        "Contact": (("[Questions go|Please answer|Write] to {v}.",),
            ("[To which address|Where] [should|can] [we|I] [answer|write]?", "What is the contact address?"),
            "Please write to {v}.", _MAIL)}),
    "offer": (("Product sheet", "For sale", "New in our shop", "Offer"), {
        "Price": (("[It costs|The price is|It sells for] {v}.",),
            ("How [much|expensive] is it?", "What does it cost?", "What is the price?", "How much do I have to pay?"),
            "It costs {v}.", _MONEY),
        "Weight": (("[It weighs|Its weight is] {v}.",),
            ("How heavy is it?", "[What is its weight|How much does it weigh]?", "What does it weigh?"),
            "It weighs {v}.", lambda r, s: names.unit("kg", "pounds", "g")(r)),
        "Color": (("[It comes in|The color is|It is painted] {v}.",),
            ("[What|Which] color [is it|does it have]?", "In which color is it sold?"),
            "The color is {v}.", lambda r, s: r.choice(names.COLOR)),
        "Maker": (("It is [made|built|produced] by {v}.",),
            ("Who [makes|builds|produces|made] it?", "[What|Which] company makes it?", "Who is the maker?"),
            "It is made by {v}.", names.company),
        "Model": (("The model [number|code] is {v}.",),
            ("What is the model [number|code]?", "Which model is it?"),
            "The model number is {v}.", _CODE),
        "Warranty": (("The warranty [lasts|runs for|is] {v}.",),
            ("How long [is the warranty|does the warranty last]?", "What warranty does it have?"),
            "The warranty lasts {v}.", lambda r, s: f"{r.randint(2, 60)} {r.choice(('months', 'years', 'weeks'))}"),
        "Length": (("It is {v} long.", "Its length is {v}."),
            ("How long is it?", "What is its length?", "What length does it have?"),
            "It is {v} long.", lambda r, s: names.unit("cm", "meters", "inches")(r))}),
    "notice": (("Notice", "Library rules", "House rules", "To all visitors"), {
        "Opening time": (("[We open|The house opens|Doors open] at {v}.",),
            ("[When|At what time] [do they|does it] open?", "What is the opening time?"),
            "It opens at {v}.", _HOUR),
        "Closed": (("[We are|The house is|It is] closed on {v}.", "On {v} the house is closed."),
            ("[On which|On what|Which] day [is it|are they] closed?", "When is it closed?"),
            "It is closed on {v}.", _WEEKDAY),
        "Manager": (("The manager is {v}.", "{v} manages the house."),
            ("Who is the manager?", "[Who manages it|What is the name of the manager]?", "Who runs the place?"),
            "The manager is {v}.", names.person),
        "Phone": (("[Call|Ring] {v} [for help|if you need help|in an emergency].", "The phone number is {v}."),
            ("What is the [phone|telephone] number?", "[Which|What] number [can|should] I call?", "Which number do I dial?"),
            "The phone number is {v}.", _PHONE),
        "Address": (("[You find us at|We are at|Our address is] {v}.",),
            ("What is the address?", "Where [is it|are they]?", "At which address is it?"),
            "The address is {v}.", _STREET),
        "Fee": (("[A visit costs|The entrance fee is|A year costs] {v}.",),
            ("[What is|How high is] the fee?", "How much does it cost?"),
            "The fee is {v}.", _MONEY),
        "Keys": (("The keys are [kept in|in|stored in] {v}.",),
            ("Where are the keys[| kept]?", "Where do I find the keys?"),
            "The keys are in {v}.", names.place)}),
    "report": (("Incident report", "Damage report", "Report"), {
        "Damaged": (("{v} was [damaged|broken|destroyed].",),
            ("What was [damaged|broken|destroyed]?", "[What|Which thing] broke?", "What got damaged?"),
            "{v} was damaged.", _thing),
        "When": (("It happened on {v}.",),
            ("When did it happen?", "On [which|what] [day|date] did it happen?", "What is the date of the incident?"),
            "It happened on {v}.", _DAY),
        "Where": (("The place was {v}.", "It happened in {v}."),
            ("Where did it happen?", "In [which|what] place did it happen?", "What is the place of the incident?"),
            "It happened in {v}.", names.place),
        "Found by": (("{v} [noticed it|found it|discovered the damage] first.",),
            ("Who [found it|noticed it|discovered it|discovered the damage]?", "Who was the first to notice?"),
            "{v} noticed it first.", names.person),
        "Cost": (("The repair [costs|will cost] {v}.",),
            ("[What|How much] does the repair cost?", "How [expensive|high] is the damage?", "What is the cost of the repair?"),
            "The repair costs {v}.", _MONEY),
        "Cause": (("The cause was {v}.",),
            ("What was the cause?", "What caused [it|the damage]?", "Why did it break?"),
            "The cause was {v}.", _thing),
        "Case number": (("The case number is {v}.", "File this under case number {v}."),
            ("What is the [case number|number of the case]?", "Under which number is it filed?"),
            "The case number is {v}.", _CODE)}),
    "recipe": (("Recipe", "Sunday dish", "From the kitchen"), {
        "Serves": (("[It serves|This makes enough for|Enough for] {v}.",),
            ("How many [people|persons] does it serve?", "For how many is it?"),
            "It serves {v}.", lambda r, s: f"{r.randint(2, 24)} people"),
        "Main ingredient": (("[The main ingredient is|You need plenty of|It is made of] {v}.",),
            ("What is the main ingredient?", "What is it made of?"),
            "The main ingredient is {v}.", _FOOD),
        "Oven": (("[Heat|Preheat] the oven to {v}.",),
            ("How hot [is the oven|must the oven be]?", "[What|Which] temperature [does the oven need|should the oven have]?",
             "What is the oven temperature?"),
            "The oven is heated to {v}.", lambda r, s: f"{r.randint(12, 48) * 5} degrees"),
        "Time": (("[Bake|Cook|Leave] it for {v}.",),
            ("How long [does it bake|is it baked|does it cook|must it bake]?", "What is the baking time?"),
            "It takes {v}.", _MINUTES),
        "Topping": (("[Sprinkle|Cover|Top] it with {v}.",),
            ("What goes on top?", "What is [the topping|it covered with]?", "With what is it topped?"),
            "It is topped with {v}.", _FOOD),
        "Author": (("The recipe is by {v}.", "{v} sent us the recipe."),
            ("Who [wrote|sent|made] the recipe?", "Whose recipe is it?"),
            "The recipe is by {v}.", names.person)}),
    "travel": (("Travel plan", "Your booking", "Itinerary"), {
        "Departure": (("[The train leaves|The bus leaves|Departure is] at {v}.",),
            ("[When|At what time] [do we leave|does it leave|is the departure]?", "What is the departure time?"),
            "The departure is at {v}.", _HOUR),
        "Destination": (("[It goes|We travel|The trip goes] to {v}.",),
            ("Where [does it go|do we go|are we going]?", "What is the destination?", "Where does the trip go?"),
            "The trip goes to {v}.", names.city),
        "Seat": (("Your seat is {v}.",),
            ("[What|Which] seat do [I|we] have?", "What is [my|the] seat?", "Where do I sit?"),
            "Your seat is {v}.", _CODE),
        "Hotel": (("[You stay|The night is spent|We sleep] at the {v} hotel.",),
            ("[Which|What] hotel [do we stay at|is booked]?", "Where do we [stay|sleep]?", "What is the name of the hotel?"),
            "The hotel is the {v} hotel.", names.label),
        "Guide": (("{v} is [the guide|your guide|our guide].",),
            ("Who is the guide?", "What is the name of the guide?", "Who guides us?"),
            "{v} is the guide.", names.person),
        "Booking": (("The booking [number|code] is {v}.",),
            ("What is the booking [number|code]?", "[Which|What] number has the booking?", "Under which code is it booked?"),
            "The booking number is {v}.", _CODE),
        "Return": (("The return [is|trip is] on {v}.",),
            ("When [is the return|do we come back|do we return]?", "On which day do we travel back?"),
            "The return is on {v}.", _DAY)}),
}
CHATTER = ("Please be on time.", "Everybody is welcome.", "We hope for good weather.", "Thank you for reading this.",
           "Nothing else was decided.", "Please tell your friends.",
           "More will follow soon.", "This is the second version.", "Keep this page.", "Children are welcome, too.",
           "Have a nice day.", "There were no questions.",
           "All of this may still change.", "Please read it carefully.", "Many thanks to all helpers.")
WISHES = ("Answer briefly.", "Just the answer.", "Short answer, please.", "Only the answer.", "In a few words.")


def lay_out(r, split, title, stated):
    """The page as text. stated: [(label, sentence, value)] in order."""
    kind = r.random()
    if kind < 0.35:
        lines = [f"{label}: {value}" for label, _, value in stated]
        mark = r.choice(("", "", "- ", "* "))
        return f"{title}\n\n" + "\n".join(mark + line for line in lines) + "\n\n"
    sentences = [sentence for _, sentence, _ in stated]
    for _ in range(r.randint(0, 3)):
        sentences.insert(r.randrange(len(sentences) + 1), r.choice(CHATTER))
    if kind < 0.5:
        return f"{title}\n\n" + "\n".join(sentences) + "\n\n"
    cut = r.randint(1, len(sentences))
    text = " ".join(sentences[:cut]) + ("\n\n" + " ".join(sentences[cut:]) if sentences[cut:] else "")
    if kind < 0.65:
        return expand(r,
                      "[Dear|Hello|Hi]") + f" {names.draw(r, split, 'first')},\n\n{text}\n\n{names.draw(r, split, 'first')}\n\n"
    return f"{r.choice(('', '# ', '## '))}{title}\n\n{text}\n\n"


@family("page")
def page(r, split, budget):
    """One page and questions about what it states and what it leaves out, each in several wordings."""
    titles, fields = PAGES[r.choice(list(PAGES))]
    labels = r.sample(list(fields), r.randint(max(2, len(fields) // 2), len(fields) - 1))
    values = {label: fields[label][3](r, split) for label in labels}
    stated = [(label, capital(stop(expand(r, r.choice(fields[label][0])).format(v=values[label]))),
               values[label]) for label in labels]
    document = [lay_out(r, split, r.choice(titles), stated)]
    asked = r.sample(list(fields), len(fields)) * 3
    turns, spent, left, missing = [], 0, budget - size(document) - 60, 0
    while asked and (spent < left or not turns):
        label = asked.pop()
        if label not in values and missing * 4 > len(turns) + 2:
            continue
        _, questions, full, _ = fields[label]
        question = expand(r, r.choice(questions[:-1] if split is Split.TRAIN else questions[-1:]))
        answer = UNKNOWN
        short = r.random() < 0.25
        if short:
            question += " " + r.choice(WISHES)
        if label in values:
            answer = values[label] if short else capital(stop(full.format(v=values[label])))
        missing += answer == UNKNOWN
        turns.append(Turn([question], answer))
        spent += cost(question, answer)
    return with_document(r, split, document, turns)


FAMILIES = {"page": page}
