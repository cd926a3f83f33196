from demo.words import SpeciesPhrases, split_sentences

DOGS = SpeciesPhrases(
    found=True,
    openers=split_sentences("""
        {name} leans. Stand still for three seconds and you will have a dog against your knee.
        If you have ever wanted to be greeted as though you had come back from sea, meet {name}.
        {name} was the first to wag at our new volunteer, and the last to stop.
        Some dogs need a job. {name} has given {him}self the one of carrying your left glove.
        {name} walks beautifully on a loose lead until {he} sees a duck.
        There is a patch of sun in kennel nine, and {name} follows it around all day.
        {name} takes a little while to make up {his} mind about people, and then never changes it.
        Nobody told {name} that {he} is not a lap dog, and it seems late to begin.
        {name} knows sit, down, wait and, on good days, leave it.
        Tennis balls, in the opinion of {name}, are what hands are for.
        {name} has one ear up and one ear down, and listens with both.
        When the kettle goes on, {name} is already in the kitchen.
        {name} sleeps on {his} back with all four feet in the air, which tells you most of it.
        We have never met a dog so pleased with a plain brown biscuit as {name}.
        {name} is a thinker. {He} likes to watch a thing twice before {he} joins in.
        The whole street knows {name} by now, because {name} has introduced {him}self.
        {name} came to us shy of doorways and now comes through them backwards, dragging a blanket.
        {name} rides in the back of the van as if {he} had paid for the ticket.
        Muddy, cheerful and never late for supper: that is {name}.
        {name} sighs like somebody's grandfather when the walk is over.
        Our vet calls {name} the best patient of the month, and it is a competitive field.
        {name} has the manners of a dog who was once very much loved.
        There is a game with a rope that only {name} understands, and {he} will teach you.
        {name} will do anything for cheese, and quite a lot for toast.
        If you work from home, {name} would like to apply as your colleague.
        {name} is happiest with {his} nose in the wind and somebody's hand on {his} back.
    """),
    young=split_sentences("""
        {name} is a puppy in every sense: feet too big, ears undecided, asleep in the middle of a sentence.
        Everything is new to {name}, and so far {he} is in favour of all of it.
        {name} has lately discovered {his} tail, and then rain, and then the postman.
        Small teeth, large plans: {name} is at the age when shoes look like friends.
        {name} has mastered the stairs going up. Down is next week.
    """),
    old=split_sentences("""
        {name} has a grey muzzle, a steady heart and no interest in hurrying.
        {name} is an old soul who would swap any walk for a warm radiator and company.
        At {his} age {name} knows what {he} likes: breakfast, a short stroll, and you.
        {name} has earned a sofa. All that is missing is the sofa.
        Old dogs are the easy ones, and {name} is easier than most.
    """),
    habits=split_sentences("""
        {He} carries a stuffed hedgehog from room to room and has never torn a stitch of it.
        {He} is clean in the house, quiet at night and polite about the sofa.
        In the field {he} runs in wide, untidy circles until somebody laughs.
        {He} likes {his} walks early, before the bicycles are about.
        {He} will swim in anything, including, once, the font.
        {He} pulls a bit at first and settles as soon as {he} knows where you are going.
        {He} sits for a scratch behind the ears and forgets to get up again.
        {He} has learnt to ring the bell by the back door, and is proud of it.
        {He} does not care for fireworks and would like a den under the table.
        {He} travels well, preferably with {his} chin on the handbrake.
        {He} greets every visitor with a shoe, never the same one twice.
        {He} is learning that not every squirrel is personal.
        {He} snores, though we have grown fond of it.
        {He} can be left for three or four hours once {he} trusts you to come back.
        {He} has a good recall and a better one when there is chicken.
        {He} loves scent games: hide a treat in a towel and you have bought yourself an hour.
        {He} barks twice at the letterbox, to show willing, and goes back to bed.
        {He} would follow a bin lorry to the end of the earth.
        {He} enjoys being brushed and holds up each paw in turn.
        {He} is gentle at the food bowl and takes treats like a duchess.
        {He} plays hard for ten minutes and sleeps hard for the next two hours.
        {He} has been to the pub, the beach and the school gate, and behaved at two of them.
    """),
    homes=split_sentences("""
        A garden would be lovely, but long walks matter more.
        {He} needs somebody who is at home for most of the day, at least to begin with.
        {He} would suit a first-time owner who is ready to go to classes.
        An active home, please: two good walks a day, and more at the weekend.
        {He} is looking for a quiet house where the days are much alike.
        {He} could live in a flat, if the stairs are few and the park is close.
        Experience with strong, clever dogs would help.
        {He} needs a securely fenced garden; four feet is not enough, we have checked.
        {He} would love a family that does things outdoors.
        What {he} wants is simple: one person, one bed, one routine.
        {He} is ready to go as soon as you have met twice and walked once.
        A house in the country would be a dream, though {he} is sensible on pavements too.
        {He} would thrive with someone who enjoys training as much as {he} does.
        Please bring the whole household to meet {him}, down to the smallest.
    """),
    needs=(
        ("Daily tablet for an underactive thyroid.", "{He} takes one small tablet a day, wrapped in ham."),
        (
            "Three legs; ramps help more than stairs.",
            "{He} gets about on three legs faster than we do on two.",
        ),
        ("Deaf; trained to hand signals.", "{He} cannot hear, and knows eleven hand signals instead."),
        (
            "Arthritis in the hips; monthly injection.",
            "{His} hips are stiff on cold mornings; an injection helps.",
        ),
        (
            "Grain-free diet for a sensitive stomach.",
            "{His} stomach is particular, so {his} food has to be too.",
        ),
    ),
)
