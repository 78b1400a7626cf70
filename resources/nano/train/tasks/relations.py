# SPDX-License-Identifier: Apache-2.0
"""What a page may say about a thing, a place, an event or a group besides what happens to it, and how people ask for it.

{e} is the thing in full where it is stated, in full or short where it is asked about; {v} is the answer, word for word.
A question with "the ..." in front is a noun phrase. The last question of a relation with more than three is TEST only.
"""
from dataclasses import dataclass

from dialog import Split
from tasks import lexicon, names
from tasks.clauses import ROLES, REASONS, Inquiry, NUMBERS
from tasks.facts import capital, plural
from tasks.frames import expand


@dataclass(frozen=True)
class Relation:
    name: str
    kinds: tuple
    value: str
    stated: tuple
    asked: tuple


def _relations(text):
    out = []
    for block in text.strip().split("\n\n"):
        head, stated, asked = block.split("\n")
        name, kinds, value = head.split(" | ")
        out.append(Relation(name, tuple(kinds.split()), value, tuple(s.strip() for s in stated.split(" / ")), tuple(s.strip() for s in asked.split(" / "))))
    return tuple(out)


# name | kinds | value, then statements, then questions
RELATIONS = _relations("""
cost | thing animal building food event plan | money
{e} costs {v} / {e} [was|is] sold for {v} / the price of {e} is {v} / [you|we] pay {v} for {e} / {v} [is|was] asked for {e} / {e} will cost {v} / {e} can be had for {v} / {v} must be paid for {e}
how much does {e} cost / what does {e} cost / what is the price of {e} / how much is {e} / how expensive is {e} / how much [do we|must one|do you have to] pay for {e} / what do [they|people] [ask|want|charge] for {e} / the price of {e} / the cost of {e} / how much money does {e} cost / what is the cost of {e} / what would {e} cost [me|us]

fee | event building group | money
[entrance|admission] to {e} is {v} / [guests|visitors|adults] pay {v} for {e} / the fee for {e} is {v} / [a|one] ticket for {e} costs {v} / {e} charges {v} [a visit|per person]
how much is [entrance|admission] to {e} / what do [guests|visitors|adults] pay for {e} / how much is a ticket for {e} / what does it cost to get into {e} / the [entrance fee|ticket price] of {e} / how much do [guests|visitors|I] pay [to get in|to enter|for entrance] / what is the fee for {e} / what does {e} charge

start | event | hour
{e} [starts|begins|opens] at {v} / the start of {e} is at {v} / at {v}, {e} [starts|begins] / people should be at {e} by {v} / [doors|gates] open at {v} for {e}
when does {e} [start|begin|open] / at what time does {e} [start|begin] / what time does {e} [start|begin] / what time is {e} / when is the [start|beginning] of {e} / the [start|starting time|beginning] of {e} / when do the doors open for {e} / when should we be at {e} / how early does {e} [start|begin]

end | event building | hour
{e} [ends|closes|finishes|is over] at {v} / the end of {e} is at {v} / {e} goes on until {v} / {e} lasts until {v} / {e} stays open until {v}
when does {e} [end|close|finish] / at what time does {e} [end|close|finish] / how long does {e} go on / until when is {e} open / when is {e} over / what is the closing time of {e} / the end of {e} / till what time does {e} last

date | event | day
{e} [takes place|is held|will be held|is] on {v} / on {v}, {e} [takes place|is held] / the date of {e} is {v} / {e} has been set for {v} / please come to {e} on {v} / {v} is the day of {e} / {e} was on {v}
when is {e} / when does {e} take place / when will {e} be held / on which day is {e} / on what date is {e} / what is the date of {e} / what day is {e} / the date of {e} / when will {e} [be|happen] / which day was chosen for {e} / which date has {e}

venue | event | place
{e} [takes place|is held|will be held|is] {v} / {v}, there will be {e} / we meet {v} for {e} / {e} was moved and is now {v}
where is {e} / where does {e} take place / where will {e} be held / in which place is {e} / the [place|venue|location] of {e} / what is the venue of {e} / where do we [meet|go] for {e} / where [can|do] I find {e} / where is {e} being held

location | thing building document animal plant | place
{e} is {v} / {e} [stands|lies|can be found|is kept|is located|was left|hangs] {v} / you find {e} {v} / {v} [is|stands] {e} / [look|search] for {e} {v} / {e} was seen {v}
where is {e} / where [can|do] [I|we|you] find {e} / where is {e} kept / where does {e} [stand|lie|hang] / where should [I|we] look for {e} / in [which|what] place is {e} / the [place|location] of {e} / what is the location of {e} / where was {e} [seen|left|put] / where did they put {e}

owner | thing building animal document plan | person
{e} belongs to {v} / {v} owns {e} / {e} is owned by {v} / the owner of {e} is {v} / {e} is the property of {v} / {v} is the owner of {e} / {e} was left to {v}
who owns {e} / who does {e} belong to / to whom does {e} belong / whose is {e} / who is the owner of {e} / the owner of {e} / whose property is {e} / whose {h} is it / what is the name of the owner of {e}

maker | thing building document food | person
{e} was [made|created|produced|designed] by {v} / {v} [made|created|produced|designed] {e} / {e} is [a work of|the work of] {v} / {e} comes from {v}
who [made|created|produced|designed] {e} / by whom was {e} [made|created|produced|designed] / whose work is {e} / who is the maker of {e} / the [maker|creator|author|designer] of {e} / who does {e} come from / who came up with {e}

contact | event group building plan | person
for {e}, [ask|contact|call|see|write to] {v} / {v} [answers questions|gives information] about {e} / questions about {e} go to {v} / {v} is responsible for {e} / {v} is in charge of {e} / {e} is looked after by {v} / the contact for {e} is {v}
who is [responsible for|in charge of] {e} / whom should [I|we] [ask|contact|call] about {e} / who answers questions about {e} / who can tell me more about {e} / who should [I|we] [talk to|write to] about {e} / the contact for {e} / who looks after {e} / who takes care of {e} / who is the person to ask about {e} / who has the say in {e}

leader | group event building | person
{e} is [led|run|headed|managed|chaired] by {v} / {v} [leads|runs|heads|manages|chairs] {e} / the head of {e} is {v} / {v} is the head of {e} / {v} has been [in charge|head] of {e} since {year}
who [leads|runs|heads|manages|chairs] {e} / who is the [head|leader|boss|chief] of {e} / by whom is {e} [led|run|managed] / the [head|leader] of {e} / who is in charge of {e} / what is the name of the [head|leader] of {e} / under whose lead is {e}

phone | person group building event | phone
{e} can be reached at {v} / the [phone|telephone] number of {e} is {v} / call {e} at {v} / {e} has the number {v} / dial {v} for {e} / {e}: phone {v}
what is the [phone|telephone] number of {e} / how can [I|we] [reach|call|phone] {e} / which number do [I|we] [call|dial] for {e} / under which number can {e} be reached / the [phone|telephone] number of {e} / what number has {e} / what should [I|we] dial for {e}

mail | person group event building | mail
write to {e} at {v} / {e} can be reached at {v} / the [email|e-mail|mail] address of {e} is {v} / mail for {e} goes to {v} / send a message to {e}: {v}
what is the [email|e-mail|mail] address of {e} / where can [I|we] write to {e} / how can [I|we] write to {e} / at which address can {e} be reached / the [email|e-mail|mail address] of {e} / which address has {e}

password | thing document building group | code
the [password|code|access code|PIN] [of|for] {e} is {v} / {e} opens with the code {v} / use {v} as the password for {e} / the password of {e} was changed to {v} / {v} is the [new|old] password of {e}
what is the [password|code|access code|PIN] [of|for] {e} / which [password|code] opens {e} / what [password|code] do [I|we] need for {e} / the [password|code] [of|for] {e} / with which code can [I|we] open {e} / how do I unlock {e} / which [password|code] has {e}

number | document thing animal person | code
{e} has the [number|serial number|registration number|reference] {v} / the [number|serial number|reference] of {e} is {v} / {e} is [registered|filed|listed] under {v} / {v} is the number of {e}
what is the [number|serial number|registration number|reference] of {e} / which number has {e} / under which number is {e} [registered|filed|listed] / the [number|serial number|reference] of {e} / what number does {e} have / how is {e} filed

capacity | building thing event | count_people
{e} has room for {v} / {e} holds {v} / there is room for {v} in {e} / {v} fit into {e} / up to {v} can use {e} / {e} can take {v}
how many {unit} [fit into|can use] {e} / how many {unit} does {e} [hold|have room for] / for how many {unit} is there room in {e} / how much room is there in {e} / the capacity of {e} / what is the capacity of {e} / how many {unit} can {e} take / how big is {e}

count | building event group document | count_things
{e} has {v} / there are {v} in {e} / {e} [contains|includes|consists of|comes with] {v} / {v} belong to {e} / {v} were counted in {e}
how many {unit} does {e} have / how many {unit} are there in {e} / how many {unit} belong to {e} / how many {unit} [does|will] {e} [contain|include] / the number of {unit} in {e} / what is the number of {unit} in {e} / how many {unit} has {e}

remaining | group event building | amount_things
{v} [remain|are left] [from|after|in] {e} / {e} still has {v} / {e} is left with {v} / only {v} remain for {e}
how many {unit} [remain|are left] [from|after|in] {e} / how many {unit} does {e} still have / how many {unit} is {e} left with / what is left [from|after|in] {e} / what remains of {e}

attendance | event building | count_people
{v} [came to|attended|took part in|visited] {e} / {e} was [attended|visited] by {v} / {v} were at {e} / {e} attracted {v} / {e} drew {v} / altogether, {v} came to {e}
how many {unit} [came to|attended|took part in|visited] {e} / how many {unit} were at {e} / by how many {unit} was {e} [attended|visited] / how many {unit} did {e} [attract|draw] / the number of {unit} at {e} / how well was {e} attended

size | building thing plant animal | length
{e} is {v} [long|high|wide|tall|deep] / the [length|height|width] of {e} is {v} / {e} measures {v} / {e} has a [length|height|width] of {v} / at {v}, {e} is the largest of all
how [long|high|wide|tall|deep|big|large] is {e} / what is the [length|height|width|size] of {e} / what does {e} measure / the [length|height|width|size] of {e} / what [length|height|width] has {e}

weight | thing animal food | weight
{e} weighs {v} / the weight of {e} is {v} / {e} has a weight of {v} / {e} was weighed: {v}
how heavy is {e} / how much does {e} weigh / what does {e} weigh / what is the weight of {e} / the weight of {e} / what weight has {e}

age | building thing animal person group | years
{e} is {v} old / {e} turned {v} old / {e} has existed for {v} / {e} will soon be {v} old
how old is {e} / what is the age of {e} / how long has {e} existed / for how long has {e} existed / the age of {e} / how many years old is {e}

founded | building group event document | year
{e} was [built|founded|created|opened|begun] in {v} / {e} dates from {v} / {e} goes back to {v} / since {v}, there has been {e} / {e} exists since {v} / in {v}, {e} was [founded|opened|started]
when was {e} [built|founded|created|opened|begun] / in [which|what] year was {e} [built|founded|created|opened] / what year does {e} date from / since when does {e} exist / from which year is {e} / the year of {e} / how far does {e} go back / when did {e} [start|begin]

duration | event plan | duration
{e} [lasts|takes|lasted|took] {v} / {e} will [last|take] {v} / {e} is {v} long / it takes {v} to get through {e} / for {v}, {e} went on
how long does {e} [last|take] / how long is {e} / how much time does {e} take / for how long does {e} go on / the [length|duration] of {e} / what is the length of {e} / how long will {e} [last|take|be] / how many [hours|days|weeks] does {e} take

deadline | event plan document group | day
the deadline for {e} is {v} / {e} must be [ready|finished|paid|handed in] by {v} / register for {e} by {v} / {v} is the last day for {e} / applications for {e} close on {v} / {e} is due on {v} / please answer about {e} before {v}
what is the deadline for {e} / by when must {e} be [ready|finished|paid|handed in] / when is {e} due / until when can [I|we] [register|apply] for {e} / when is the last day for {e} / the deadline [of|for] {e} / when do applications for {e} close / how long do we have for {e} / when does {e} have to be [ready|finished|done]

color | thing building animal plant | color
{e} is {v} / {e} was painted {v} / the color of {e} is {v} / {e} has a {v} color / they chose {v} for {e}
what color is {e} / [which|what] color does {e} have / what is the color of {e} / in which color was {e} painted / the color of {e} / how is {e} colored / which color did they choose for {e}

material | thing building | material
{e} is made of {v} / {e} consists of {v} / {v} was used for {e} / they built {e} of {v}
what is {e} made of / of what is {e} made / what does {e} consist of / which material was used for {e} / the material of {e} / from what is {e} made / what is the material of {e}

nickname | person building animal group event | label
{e} is called {v} / {e} is known as {v} / people call {e} {v} / the name of {e} is {v} / {e} bears the name {v} / {e} was named {v} / they named {e} {v}
what is {e} called / what is the name of {e} / what do people call {e} / how is {e} called / as what is {e} known / what [was|is] {e} named / which name does {e} bear / the name of {e} / what name did they give to {e}

reason | event building plan thing | reason
{e} [was|is] [closed|cancelled|late|postponed|not ready] because {v} / because {v}, {e} [was|is] [closed|cancelled|late|postponed]
why [was|is] {e} [closed|cancelled|late|postponed|not ready] / for what reason [was|is] {e} [closed|cancelled|late] / what is [wrong|the matter] with {e} / the reason for {e} / what happened to {e} / what was the cause of that

condition | thing building animal plan | state
{e} is {v} / {e} [was|has been] {v} since [Monday|yesterday|last week|spring] / they found {e} {v} / {e} seems to be {v} / at the moment, {e} is {v}
what is [wrong|the matter] with {e} / in what condition is {e} / how is {e} / what state is {e} in / the [state|condition] of {e} / what about {e} / what is the problem with {e}

bring | event | bring
[members|guests|visitors|children|everybody] should bring {v} to {e} / please bring {v} to {e} / do not forget {v} for {e} / you need {v} for {e} / for {e}, everybody needs {v}
what should [members|guests|visitors|we|I|children] bring to {e} / what do [we|I|you] need for {e} / what must [we|I] not forget for {e} / what do I have to bring / what is needed for {e} / what should we take along to {e} / what are [members|guests|people] asked to bring

served | event building | food
[there will be|they serve|guests get] {v} at {e} / {v} [will be|is] served at {e} / {e} offers {v} / the food at {e} is {v} / you can [eat|get|buy] {v} at {e}
what is served at {e} / what will be served at {e} / what can [I|we|you] [eat|get|buy] at {e} / what food [is|will be] there at {e} / the food at {e} / which food does {e} offer / what will there be to eat at {e}

profession | person | profession
{e} is {v} / {e} works as {v} / {e} became {v} / {e}, {v}, came too / by trade, {e} is {v}
what is {e} / what does {e} do for a living / what is the [job|profession|trade] of {e} / what does {e} work as / the [job|profession] of {e} / what kind of work does {e} do / how does {e} earn money

home | person group | place_city
{e} lives {v} / {e} comes from {city} and lives {v} / {e} moved and is now {v} / the home of {e} is {v} / {e} has a house {v}
where does {e} live / where is {e} now / where is the home of {e} / in which place does {e} live / the home of {e} / where is {e} at home / where has {e} a house

role | person | role
{e} is the {v} / {e} [was elected|was made|became|serves as|acts as] {v} / our {v} is {e} / {e} ({v}) was there / {e}, the {v}, [spoke|agreed|was late|came too] / the {v}, {e}, [spoke first|was absent|thanked everybody|opened the evening]
who is the {v} / who is {v} / who was elected {v} / who became {v} / who [serves|acts] as {v} / the {v} / what is the name of the {v} / who is our {v} / who has the post of {v}

absent | person | person_absent
apologies came from {v} / {v} sent apologies / {v} [could not come|was absent|was missing|was not there|was excused] / {v} was not present / absent: {v}
who sent apologies / who [could not come|was absent|was missing|was not there] / from whom did apologies come / who was not present / who was excused / who did not [come|attend|turn up]

frequency | event | frequency
{e} [takes place|is held|happens] {v} / {v}, there is {e} / {e} is repeated {v}
how often [is|does] {e} [held|take place|happen] / how frequently does {e} take place / how many times is {e} held / the frequency of {e} / how often is there {e}

distance | building plant | distance
{e} is {v} away / {e} is {v} from [the station|the town|the river|here] / it is {v} to {e} / the distance to {e} is {v} / you walk {v} to {e}
how far [is|away is] {e} / how far is it to {e} / what is the distance to {e} / how far do [I|we] have to [walk|go] to {e} / the distance to {e} / how far away is {e}

account | group plan event | money
{v} [remain|are left|are] in the account of {e} / {e} has {v} [left|in the bank] / the budget of {e} is {v} / {e} received {v} / {e} [raised|earned|collected] {v} / the debts of {e} are {v} / {v} was [given to|set aside for] {e}
how much money [is left|remains|is] in the account of {e} / how much does {e} have [left|in the bank] / what is the budget of {e} / how much [money |]did {e} [receive|raise|earn|collect] / the [budget|money|account] of {e} / how much [money |]was [given to|set aside for] {e} / how rich is {e} / how much money has {e}

result | event | result
{e} ended {v} / the result of {e} was {v} / {v} was the [result|score] of {e}
how did {e} end / what was the [result|score|outcome] of {e} / the [result|score|outcome] of {e} / what [result|score] did {e} have / what came out of {e}

winner | event | person
{v} won {e} / {e} was won by {v} / the winner of {e} is {v} / first prize at {e} went to {v} / {v} took the first place in {e}
who won {e} / who was the winner of {e} / by whom was {e} won / who got the first prize at {e} / the winner of {e} / who came first in {e} / who was best at {e}

temperature | building food animal | temperature
{e} is kept at {v} / the temperature of {e} is {v} / {e} needs {v} / heat {e} to {v} / {v} were measured in {e}
what is the temperature of {e} / at what temperature is {e} kept / how [warm|hot|cold] is {e} / what temperature does {e} need / the temperature of {e} / how [warm|hot] should {e} be

speed | thing animal | speed
{e} reaches {v} / {e} moves at {v} / the top speed of {e} is {v} / {e} was measured at {v}
how fast is {e} / how fast does {e} [go|move|run] / what is the [top |]speed of {e} / what speed does {e} reach / the speed of {e} / at what speed does {e} move

language | document person event | language
{e} is in {v} / {e} was written in {v} / the language of {e} is {v} / they speak {v} at {e} / {e} uses {v}
in [which|what] language is {e} / what is the language of {e} / what language [is|was] {e} [in|written in] / the language of {e} / which language does {e} use

part | group | share
{v} of {e} [agreed|voted for it|were against it|came|are women|are over sixty] / {v} of {e} did not come / according to a count, {v} of {e} agreed
[how many|what share|how much|which part] of {e} [agreed|voted for it|were against it|came|did not come] / what share of {e} was that / how large a part of {e} was it

next | event group | day
the next {h} [is|will be|takes place] on {v} / {v} is the date of the next {h} / the {h} meets again on {v}
when is the next {h} / when does the {h} meet [again|next] / what is the date of the next {h} / on which day is the next {h} / the date of the next {h} / when will there be another {h}
""")

CATCH = {
    "money": lambda r, s: names.money(r) if r.random() < 0.6 else f"{r.randint(2, 99) * 10 ** r.randint(0, 3):,} {r.choice(('dollars', 'euros', 'pounds', 'francs'))}",
    "hour": lambda r, s: names.hour(r) if r.random() < 0.7 else r.choice(("noon", "midnight", "half past six", "seven o'clock", "ten o'clock", "a quarter to eight", "half past nine", "three o'clock", "five in the afternoon")),
    "day": lambda r, s: r.choice((names.day(r), names.date(r), f"{r.choice(names.WEEKDAY)} {names.day(r)}", r.choice(names.WEEKDAY), f"{r.choice(names.WEEKDAY)}, {names.date(r)}")),
    "phone": lambda r, s: r.choice((f"555-{names.digits(r, 4, 4)}", f"0{names.digits(r, 3, 4)} {names.digits(r, 5, 6)}", f"+{r.randint(20, 99)} {names.digits(r, 3, 3)} {names.digits(r, 6, 7)}", f"({names.digits(r, 3, 3)}) {names.digits(r, 3, 3)}-{names.digits(r, 4, 4)}")),
    "mail": lambda r, s: f"{names.draw(r, s, 'first').lower()}{r.choice(('', '.' + names.surname(r, s).lower()))}@{lexicon.invented(r, s)}.{r.choice(('org', 'com', 'net', 'example'))}",
    "code": lambda r, s: lexicon.code(r) if r.random() < 0.5 else f"{lexicon.word(r, s)}{r.choice(('-', '', '_'))}{r.randint(1, 999)}",
    "year": lambda r, s: str(r.randint(1200, 2040)), "years": lambda r, s: f"{r.randint(2, 300)} years",
    "length": lambda r, s: names.unit("meters", "feet", "cm", "km", "inches", "miles")(r), "weight": lambda r, s: names.unit("kg", "pounds", "tons", "grams")(r),
    "distance": lambda r, s: names.unit("km", "miles", "meters", "minutes")(r), "speed": lambda r, s: names.unit("km/h", "miles an hour", "knots")(r),
    "temperature": lambda r, s: f"{r.randint(-30, 250)} degrees", "share": lambda r, s: r.choice((f"{r.randint(2, 99)} percent", "one third", "a quarter", "nearly half", "two thirds", "most", "more than half")),
    "duration": lambda r, s: f"{r.choice(NUMBERS) if r.random() < 0.5 else r.randint(2, 90)} {r.choice(('hours', 'days', 'weeks', 'minutes', 'months'))}",
    "color": lambda r, s: r.choice(names.COLOR) if r.random() < 0.7 else f"{r.choice(('dark', 'light', 'bright', 'pale'))} {r.choice(names.COLOR)}",
    "material": lambda r, s: r.choice("wood stone brick glass iron steel bronze silver gold clay leather cotton wool silk paper plastic concrete marble oak pine bamboo copper rubber wax ice sand".split()),
    "label": lambda r, s: names.label(r, s), "language": lambda r, s: names.draw(r, s, "language"), "food": lambda r, s: f"{names.draw(r, s, 'food')} and {names.draw(r, s, 'food')}" if r.random() < 0.4 else names.draw(r, s, "food"),
    "reason": lambda r, s: expand(r, r.choice([x for x in REASONS if not x.startswith("of")])),
    "state": lambda r, s: r.choice("broken again/out of order/under repair/closed/in good condition/sold out/as good as new/empty/full/ready/not ready yet/in danger/for sale/very dirty/damaged by water/almost finished/much too loud/still missing/locked/too small".split("/")),
    "bring": lambda r, s: r.choice((f"a {names.adjective(r, s)} {lexicon.lemma(r, s, 'thing')}", f"{names.adjective(r, s)} {plural(lexicon.lemma(r, s, 'thing'))}", f"a {lexicon.lemma(r, s, 'thing')} and {names.draw(r, s, 'food')}", plural(lexicon.lemma(r, s, "thing")))),
    "profession": lambda r, s: (lambda w: f"{'an' if w[0] in 'aeiou' else 'a'} {w}")(names.draw(r, s, "profession")),
    "frequency": lambda r, s: r.choice(("every week", "once a month", "twice a year", "every two years", "on Mondays", "every Sunday", "daily", "three times a week", "once a year", "every other Friday", "four times a year")),
    "result": lambda r, s: f"{r.randint(0, 9)} to {r.randint(0, 9)}" if r.random() < 0.6 else f"{r.randint(0, 9)}:{r.randint(0, 9)}",
    "role": lambda r, s: r.choice(ROLES) if r.random() < 0.7 else f"{r.choice(('vice', 'deputy', 'honorary', 'assistant', 'acting'))} {r.choice(ROLES)}",
    "place_city": lambda r, s: f"in {names.city(r, s)}" if r.random() < 0.7 else f"{r.choice(('near', 'outside', 'behind', 'above'))} {names.place(r, s)}",
}
PEOPLE = "people visitors guests members children pupils students cars pots chairs passengers boxes books bottles".split()
UNITS = "rooms windows doors pages chapters seats tables floors steps beds trees stalls tickets lamps chairs members rules questions cups volunteers rounds".split()


def value_of(cast, relation):
    """(the value, the counted noun or "")."""
    r, kind = cast.r, relation.value
    if kind in ("person", "person_absent"):
        return cast.person().full, ""
    if kind == "place":
        return cast.place(), ""
    if kind.startswith(("count", "amount")):
        unit = r.choice(PEOPLE if kind == "count_people" else UNITS) if r.random() < 0.7 else plural(lexicon.lemma(r, cast.split, "thing"))
        number = r.choice(NUMBERS) if r.random() < 0.35 else f"{r.randint(2, 10 ** r.randint(1, 5)):,}"
        return f"{r.choice(('', '', '', 'about ', 'more than ', 'only ')) if relation.name != 'remaining' else ''}{number} {unit}", unit
    return CATCH[kind](r, cast.split), ""


def describe(cast, relation=None):
    """(sentence without a full stop, [Inquiry, ...] with the answer) about a thing that is new or was named before."""
    r = cast.r
    for _ in range(40):
        relation_ = relation or r.choice(RELATIONS)
        noun = cast.noun(r.choice(relation_.kinds))
        if noun.many:
            continue
        value, unit = value_of(cast, relation_)
        key = (relation_.name, noun.full) if relation_.name not in ("role", "absent") else (relation_.name, value)
        if relation_.name == "absent":
            key = ("absent",)
        if key not in cast.used and value != noun.full:
            break
    cast.used.add(key)
    fill = dict(v=value, unit=unit, h=noun.short.split()[-1], year=r.randint(1900, 2030), city=names.city(r, cast.split))
    text = expand(r, r.choice(relation_.stated)).format(e=noun.full, **fill)
    return text, ask(cast, relation_, noun, noun.full if relation_.name == "role" else value, fill, key), (relation_, noun, fill, key)


def ask(cast, relation, noun, answer, fill, key, count=3):
    """Questions in different words about one statement; an empty answer if the text does not make it."""
    r, found = cast.r, []
    pool = relation.asked
    if len(pool) > 3:
        pool = pool[:-1] if cast.split is Split.TRAIN else pool[-1:]
    for pattern in r.sample(pool, min(count, len(pool))):
        name = noun.said(r)
        question = expand(r, pattern).format(e=name, **fill)
        if question.startswith("the "):
            found.append(Inquiry("", answer, noun=question, key=key))
        else:
            found.append(Inquiry(question, answer, declared(question, name), key=key))
    return found


def declared(question, name):
    """The question as an object clause where that only takes a change of places ("where the key is"), or ""."""
    for be in ("is", "was"):
        before, found, after = question.partition(f" {be} ")
        if found and after == name and before != "what":
            return f"{before} {after} {be}"
    return question if question.split()[0] in ("who", "whose") and question.split()[1] not in ("is", "was", "should", "can", "does") else ""
