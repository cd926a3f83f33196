"""Sentences for animals of every species: their past, companions, bonded partners and care records."""

from demo.words import split_sentences

PASTS = {
    "Stray": split_sentences("""
        {He} was picked up as a stray, and nobody came to ask.
        {He} was found by a lorry driver who went an hour out of his way.
        Somebody left {him} at our gate before it was light.
        {He} had been living behind a supermarket, as far as we can tell for weeks.
        A walker found {him} on the towpath and sat with {him} until we came.
        {He} turned up in a garden and would not leave, so the garden called us.
        {He} had no tag, no chip and a very good appetite.
    """),
    "Surrender": split_sentences("""
        {His} owner went into care and asked us to find {him} somebody kind.
        {He} came to us when a family had to move and could not take {him}.
        There was a new baby, then a new job, and then too little time.
        {He} was loved in {his} last home, and you can tell.
        {His} people split up, and neither could keep {him}.
        An allergy in the family brought {him} here, with many tears on the doorstep.
        {His} owner died in winter; {he} has been waiting for a second beginning.
        Money had run out at home, and {his} owner did the hard, right thing.
    """),
    "Transfer in": split_sentences("""
        {He} came from a crowded pound, where {his} time was nearly up.
        Another shelter asked us to help after the floods, and {he} was on the second van.
        {He} was one of forty in a house that had meant well.
        A rescue in the next county had no room left, so we made some.
    """),
    "Born in care": split_sentences("""
        {He} was born here, in the quiet room, in the middle of a thunderstorm.
        {His} mother came to us just in time, and {he} has known nothing but kind hands.
        {He} was born in one of our foster homes, under a piano.
    """),
}

WITH = {
    ("children", True): split_sentences("""
        {He} is lovely with children who know when to stop.
        {He} has lived with toddlers and kept {his} temper.
        Children are {his} favourite kind of people.
        School-age children would be a bonus.
    """),
    ("children", False): split_sentences("""
        {He} needs a home with adults only.
        Small children worry {him}, so we are looking for a grown-up home.
        No children under twelve, please.
    """),
    ("dogs", True): split_sentences("""
        {He} gets on with other dogs, large and small.
        A second dog at home would be welcome.
        {He} shares with two dogs here and has never had words.
        {He} has lived with a dog before and seemed to enjoy it.
    """),
    ("dogs", False): split_sentences("""
        {He} wants to be the only one, so no dogs at home.
        Other dogs are too much for {him}.
        {He} would rather cross the road than meet a dog.
    """),
    ("cats", True): split_sentences("""
        {He} has lived with cats and respects them.
        {He} is fine with a cat that stands its ground.
        There are cats in {his} foster home, and nobody is cross.
    """),
    ("cats", False): split_sentences("""
        {He} cannot live with cats.
        Cats are out of the question, we are sorry to say.
        No cats at home, please.
    """),
}

TOGETHER = split_sentences("""
    {name} and {other} have never spent a night apart, and go home together.
    Where {name} is, {other} is. We will not part them.
    {name} comes with {other}: two beds, though they only ever use one.
    {other} is the brave one and {name} the clever one, and they need each other.
""")

ARRIVALS = {
    "Stray": ("Found on {street}, brought in by a member of the public.", "Stray, collected by the warden."),
    "Surrender": (
        "Surrendered at the front desk with papers.",
        "Owner telephoned first; handed over at home.",
    ),
    "Transfer in": ("On transfer with vaccination card.", "Arrived by van with six others."),
    "Born in care": ("Born here; mother's record has the details.",),
}

NOTES = (
    "Weigh again in two weeks.",
    "Second vaccination due.",
    "Prefers to be fed last; guard the bowl on cleaning days.",
    "Ring {person} before any viewing.",
    "Took the lead without fuss this week. Keep it up.",
    "Vet has seen the left ear: clear.",
    "Return from trial, no fault of the animal.",
)
