from demo.words import SpeciesPhrases, split_sentences

RABBITS = SpeciesPhrases(
    found=True,
    openers=split_sentences("""
        {name} leaps straight into the air when {he} hears the parsley drawer.
        {name} rearranges {his} furniture every night, and no two mornings are alike.
        {name} was bought for a child who grew up faster than {he} did.
        There is a soft thump when {name} is displeased, and a softer one when the hay is late.
        {name} will lie flat out beside you, once you have sat on the floor long enough to be furniture.
        {name} has dug to the edge of what is possible in a sandpit and would like to go further.
        {name} tidies up dandelions, edges of magazines and the occasional cable.
        Bold for a rabbit, {name} comes to the front of the run to see who you are.
        {name} has ears that tell you everything: one forward for hello, two back for not now.
        {name} grooms everybody in reach, including the broom.
        {name} trusts slowly and completely.
        {name} lives for willow sticks and has firm views on carrots.
    """),
    young=split_sentences("""
        {name} is the smallest of an unplanned litter and the first to the greens.
        {name} is all feet and whiskers, and skids on corners.
    """),
    old=split_sentences("""
        {name} is getting on, and likes a ramp where there used to be a jump.
        {name} is a settled old rabbit who naps with {his} chin on a cushion.
    """),
    habits=split_sentences("""
        {He} uses a litter tray and is offended if it is moved.
        {He} likes a tunnel with two ways out.
        {He} would rather not be picked up, but will climb into a lap for coriander.
        {He} has the run of the office on Fridays and has eaten only one invoice.
        {He} is vaccinated and ready to be introduced.
        {He} binkies along the corridor when the volunteers go home.
        {He} sleeps under the hay rack and wakes up wearing it.
        {He} is calm with nail clippers, which is rare.
        {He} will give up a secret for a slice of apple.
    """),
    homes=split_sentences("""
        {He} needs a friend: rabbits go to homes with a rabbit, or in pairs.
        {He} has lived indoors and should stay there in winter.
        A large run and a dry, draught-free house are a must.
        {He} needs room to run every day, not a hutch to sit in.
        We will help you with introductions if you have a rabbit at home.
        {He} would suit a quiet family that likes to sit on the floor.
    """),
    needs=(
        ("Teeth trimmed every eight weeks.", "{His} teeth need a vet's trim every eight weeks."),
        (
            "Head tilt after an old ear infection.",
            "An old ear infection left {him} with a tilt, which rather suits {him}.",
        ),
    ),
)

SMALL = SpeciesPhrases(
    found=True,
    openers=split_sentences("""
        {name} hears a fridge door through two walls and answers it.
        {name} is up when you go to bed and has been busy by the time you get up.
        {name} built a nest from one whole toilet roll and is looking for a second.
        Careful hands and a sunflower seed will make a friend of {name}.
        {name} stuffs in more than ought to be possible, and then goes back.
        {name} is quick, clean and curious, and knows the sound of your step.
        {name} runs up a sleeve as if it had been put there for the purpose.
        {name} takes a dust bath with more joy than most of us take anything.
        {name} whistles for cucumber.
        {name} came in a shoebox and now lives in a palace of tunnels.
    """),
    habits=split_sentences("""
        {He} is used to being handled and does not nip.
        {He} needs deep bedding, and will show you why.
        {He} likes company of {his} own kind.
        {He} sorts {his} food by colour, and we do not know the reason.
        {He} has a wheel, and no plan to stop.
        {He} sleeps through the day in a hammock made from a sock.
        {He} will explore a sofa, if somebody guards the gaps.
        {He} is easily persuaded with fresh greens.
    """),
    homes=split_sentences("""
        A big enclosure matters more than a pretty one; ask us for sizes.
        {He} would be a good first animal for a child with a patient adult.
        {He} should be kept away from cats, whatever the cats say.
        {He} would like a quiet corner out of the sun.
        {His} cage, wheel and bottle go with {him}.
        {He} goes to a home with another, or we will find {him} one here.
    """),
    needs=(("Weekly check of overgrown teeth.", "{His} teeth want looking at once a week."),),
)

BIRDS = SpeciesPhrases(
    openers=split_sentences("""
        {name} does the telephone, the microwave and a fair version of our treasurer.
        {name} sings from six until the lamp goes out.
        {name} lost a companion in spring and is ready for another.
        {name} flew in through a school window and was handed in with a note.
        {name} bobs to anything with a drum in it.
        {name} steps up on a finger, after thinking about it.
        {name} shreds paper with the care of a lawyer.
        {name} says good night, and means it.
    """),
    habits=split_sentences("""
        {He} likes a bath in a saucer and a shake over your papers.
        {He} spends an hour each morning on {his} feathers.
        {He} takes millet from the hand.
        {He} is fully flighted and needs to fly daily.
        {He} greets the dawn; light sleepers should know.
        {He} chatters with the radio and falls silent for the news.
        {He} has an enemy, which is the blue cup.
    """),
    homes=split_sentences("""
        {He} needs an aviary or a large cage, and a friend with feathers.
        {He} wants company for most of the day.
        No smokers and no non-stick pans near {him}, please.
        {He} would fit in with a small flock.
        A person with time to teach and be taught would be ideal.
    """),
)

HORSES = SpeciesPhrases(
    openers=split_sentences("""
        {name} puts {his} head over the gate and breathes on you, which is how {he} says hello.
        {name} was found tethered by a roundabout and has not finished being grateful for grass.
        {name} loads, stands for the farrier and pretends not to know what an apple is.
        {name} has good feet, a kind eye and a talent for knots.
        {name} looks after the nervous ones in the herd.
        {name} is the first to the gate and the last to leave it.
        {name} carries {him}self as though there were a crowd.
        {name} will walk beside you to the far field for no other reason than the walk.
    """),
    habits=split_sentences("""
        {He} lives out all year and comes in when it suits {him}.
        {He} is good in traffic and has doubts about pigs.
        {He} is easy to catch, with or without a bucket.
        {He} has had {his} teeth and vaccinations done this spring.
        {He} is used to children around {his} legs and stands like a rock.
        {He} opens bolts, so bring a clip.
    """),
    homes=split_sentences("""
        {He} is looking for a home as a companion.
        {He} could do light hacking with a rider who is not in a hurry.
        {He} needs a field mate, safe fences and a shelter.
        {He} goes out on loan for life, with a visit from us twice a year.
        A small amount of grazing is best, since {he} gets fat on the idea of it.
    """),
    old=split_sentences("""
        {name} is retired, and takes it seriously.
        {name} was outgrown, outlived and left, and holds none of it against people.
        {name} has carried three children through their childhoods and is done with carrying.
    """),
    needs=(
        (
            "Laminitis in the past; restricted grazing.",
            "{He} has had laminitis, so the grass must be rationed.",
        ),
    ),
)

BARNYARD = SpeciesPhrases(
    openers=split_sentences("""
        {name} was bound for somewhere worse and walked down our ramp as if it were a red carpet.
        {name} supervises the yard from the top of the straw.
        {name} knows the sound of the feed bin, the gate and the bread van.
        {name} will follow a bucket, a person or a good argument.
        {name} has never once used the front of the shelter when there was a side to climb.
        {name} likes {his} back scratched just there, and will stand on your foot to keep you.
        {name} is a great hand at clearing brambles.
        {name} shouts at the weather and is usually right.
    """),
    habits=split_sentences("""
        {He} walks in by {him}self at dusk.
        {He} gets on with the whole yard but the gander.
        {He} has been wormed and trimmed, and submitted to both.
        {He} likes windfalls and long afternoons.
        {He} is friendly with visitors who have pockets.
        {He} finds every hole in a fence; think of it as free inspection.
    """),
    homes=split_sentences("""
        {He} goes only to a home where {he} will grow old.
        {He} must live with others of {his} kind.
        You need a holding number, a dry house and a fence you believe in.
        {He} would be happy in an orchard, and so would the orchard.
        Fox-proof at night, free by day: that is all {he} asks.
    """),
)

REPTILES = SpeciesPhrases(
    openers=split_sentences("""
        {name} tilts {his} head at you as though you had said something interesting.
        {name} is calm, warm when the lamp is, and much admired by schoolchildren.
        {name} was left behind in a rented flat with a thermostat and no note.
        {name} basks, considers, moves one foot, and considers again.
        {name} has shed in one piece, and we have kept it.
        {name} is as easy to handle as a cardigan.
        {name} knows the tongs by sight and gets there first.
        {name} turned up in a box of bananas, or so the label says, and has kept the sticker.
    """),
    habits=split_sentences("""
        {He} eats well and never misses a Thursday.
        {He} likes to sit on a shoulder and look at the room.
        {He} hides for a day after any change, and then forgets it.
        {He} comes to the glass when somebody walks by.
        {He} is used to being handled for ten minutes at a time.
        {He} digs at the same corner every evening.
    """),
    homes=split_sentences("""
        {He} comes with {his} vivarium, lamps and a care sheet.
        You will need to have the heat and UV running for a week before {he} moves in.
        {He} would suit a keeper who has had one before.
        {He} has decades ahead of {him}, so please think of your own plans too.
        We are glad to set the tank up with you.
    """),
    old=split_sentences("""
        {name} has outlived two owners and may outlive a third.
        {name} was somebody's first pet, and that somebody is now a grandfather.
    """),
    needs=(
        ("Calcium supplement; mild bone disease from earlier keeping.", "{He} needs extra calcium for good."),
    ),
)

FISH = SpeciesPhrases(
    openers=split_sentences("""
        {name} was a prize at a fairground, survived it and has doubled in size since.
        {name} comes to the glass at feeding time and blows one bubble.
        {name} was left behind with a pond when the house was sold.
        {name} patrols the left half of the tank and lets the right look after itself.
        {name} is a good deal cleverer than a goldfish is supposed to be.
    """),
    habits=split_sentences("""
        {He} eats from the fingers and is learning to swim through a hoop.
        {He} rests under the bridge and dashes out when the light goes on.
        {He} is healthy, quarantined and used to pellets.
        {He} likes plants, both to hide in and to rearrange.
    """),
    homes=split_sentences("""
        No bowls, please: {he} needs a filtered tank with room to turn.
        A mature pond without herons would be heaven.
        We can lend you a test kit for the first month.
        {He} would like company of about {his} own size.
    """),
)

OTHERS = SpeciesPhrases(
    openers=split_sentences("""
        {name} is not for everybody, and is quite sure to be for somebody.
        {name} came in with a label that said only "careful", which was unkind and not true.
        {name} keeps odd hours and tidy corners.
        {name} has more admirers among our volunteers than some of the kittens.
        {name} is what happens when somebody buys first and reads later.
        {name} moves at {his} own pace, and it is worth watching.
    """),
    habits=split_sentences("""
        {He} comes out after dark to see what has been left in the bowl.
        {He} likes the same corner, the same leaf and the same log.
        {He} eats well and has never been ill.
        {He} can be handled, gently and not for long.
        {He} has a hide at each end and a summer and a winter opinion of both.
    """),
    homes=split_sentences("""
        {He} needs a keeper who has read up, or who will let us explain.
        The set-up goes with {him}, and so do our notes.
        Warmth, humidity and quiet are all that {he} wants.
        Check with your landlord first; then come and see us.
    """),
)
