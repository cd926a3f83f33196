"""Texts in the demo's applications: reasons to adopt an animal, staff notes and spam."""

WHYS = (
    "We lost our old companion in spring, and the house has been too quiet since. {name} would have company "
    "all day, as I work from home.",
    "I have looked for somebody like {name} for a while. There is a fenced garden, and I am home from three.",
    "My partner and I have both grown up with animals. We have read up on what {name} needs, and would be "
    "glad to come by and meet first.",
    "The children are ten and thirteen and know how to leave an animal in peace. {name} would have a warm "
    "corner in the kitchen and a room to withdraw to.",
    "I am retired and walk every day whatever the weather. {name} would never be alone for longer than it "
    "takes to do the shopping.",
    "We saw {name} on your page and came back every evening to look again. Our landlord agrees.",
    "I volunteered at a rescue for six years, so I know that the first weeks may be hard. We have the time.",
    "There is a quiet flat with a secured balcony here, and two people to share it with {name}.",
    "Our vet is around the corner and would be happy to tell you about us. We can come any weekend.",
    "I do not mind a long settling in. My last one hid under the bed for a month.",
    "We have a smallholding with room to spare, and a neighbour who looks in when we are away.",
    "{name} looks just like the one I had as a child. That is no reason, I know, but the rest fits as well: "
    "ground floor, garden, and somebody at home.",
)

NOTES = (
    "Called on Tuesday, sounds thoughtful. Would come on Saturday morning.",
    "Has adopted from us before, all went well.",
    "Asked for the landlord's permission; they will send it.",
    "Home visit done. Fence is high enough, other animals are calm.",
)

SPAM = (
    "Dear owner, I offer good price, write me on www.pets-4-you.example today",
    "There is a link in the answers.",
)
