"""Names for animals, people and places, invented or very common."""

from random import Random


def parse_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


SHE = parse_names("""
Ada, Agnes, Amber, Aria, Astrid, Bea, Bella, Bonnie, Callie, Cleo, Clementine, Cora, Daisy, Delilah,
Dolly, Edie, Effie, Elsie, Esme, Flora, Freya, Gertie, Ginny, Goldie, Greta, Hattie, Hetty, Ida, Iris,
Isla, Ivy, Jessie, Josie, Juno, Kiki, Lady, Lila, Lottie, Luna, Mabel, Maeve, Maggie, Margot, Martha,
Matilda, Mavis, Minnie, Molly, Nala, Nell, Nora, Olive, Opal, Ottilie, Patsy, Pearl, Penny, Petra,
Phoebe, Polly, Poppy, Primrose, Queenie, Rita, Ruby, Sadie, Sally, Sheba, Sukie, Suki, Tabitha, Tallulah,
Tansy, Tess, Tilly, Una, Violet, Wanda, Willa, Winnie, Xena, Yuki, Zelda, Zora
""")

HE = parse_names("""
Albie, Alfie, Angus, Archie, Arlo, Arthur, Axel, Barney, Basil, Benji, Bertie, Bill, Boris, Bruno,
Buster, Caspar, Cedric, Chester, Clyde, Cosmo, Dexter, Diesel, Digby, Duke, Eddie, Elvis, Enzo, Ernie,
Felix, Fergus, Finn, Frank, Fred, George, Gilbert, Gus, Hank, Harvey, Hector, Hugo, Humphrey, Igor,
Jasper, Jet, Jonah, Kasper, Kip, Laszlo, Lenny, Leo, Louis, Mac, Magnus, Marlon, Max, Milo, Monty, Moses,
Murphy, Ned, Nelson, Norman, Olaf, Oscar, Otto, Percy, Quentin, Ralph, Rex, Rocco, Roly, Rufus, Rupert,
Samson, Sid, Stanley, Ted, Theo, Toby, Tyson, Ulysses, Vincent, Walter, Wilf, Winston, Yogi, Ziggy
""")

EITHER = parse_names("""
Acorn, Anchovy, Apple, Ash, Aspen, Badger, Bagel, Bandit, Banjo, Bean, Biscuit, Blue, Bracken, Bramble,
Bubbles, Button, Cashew, Chai, Chestnut, Chilli, Chutney, Clove, Cobweb, Comet, Conker, Cookie, Crumpet,
Custard, Dandelion, Domino, Dumpling, Echo, Ember, Fable, Fennel, Fidget, Figgy, Flapjack, Flint, Frost,
Fudge, Ghost, Ginger, Gravy, Hazel, Heath, Inky, Jellybean, Kestrel, Kipper, Lentil, Lucky, Maple,
Marmalade, Marzipan, Midnight, Minstrel, Misty, Mocha, Moss, Muffin, Mushroom, Mustard, Nettle, Noodle,
Nutmeg, Onyx, Paprika, Patch, Peanut, Pebble, Pepper, Pickle, Pigeon, Pip, Pixel, Pretzel, Puddle, Quill,
Radish, Raisin, River, Robin, Rolo, Rosti, Rusty, Saffron, Sage, Scout, Shadow, Smudge, Snowy, Socks,
Sooty, Sparrow, Sprout, Squash, Storm, Tango, Teasel, Thistle, Tickle, Toast, Treacle, Truffle, Turnip,
Twig, Waffle, Whisper, Wren
""")

FIRST = parse_names("""
Amara, Ben, Carys, Dev, Elena, Farid, Grace, Hana, Imran, Joan, Kofi, Leila, Mei, Niall, Oona, Priya,
Rosa, Sam, Tomas, Uma, Viktor, Wendy, Yusuf, Zofia, Anders, Bruna, Callum, Dilys, Emeka, Fiona
""")

LAST = parse_names("""
Abara, Bell, Castellan, Doyle, Eriksen, Farrow, Greaves, Holloway, Ibsen, Jansen, Kaur, Lindqvist, Marsh,
Novak, Okafor, Pruitt, Quayle, Rahman, Sorley, Tanaka, Underhay, Vance, Whitlock, Yeo, Zeller, Ashdown,
Brook, Copley, Denholm, Ferris
""")

PLACES = parse_names("""
Alderbrook, Ambermere, Barrow Sands, Beckford Cross, Birchwick, Bramley Heath, Brindle Bay, Caldermouth,
Canons Ferry, Chalk Hollow, Coldharbour Green, Copper Quay, Cranmere, Dunlow, Eastmarsh, Eldersea,
Fallowfield Bridge, Farthing Lock, Fernleigh, Foxholt, Gorse End, Greywater, Hallowdean, Harrowgate Mill,
Hartsmere, Hazel Down, Heronsford, Hollin Bank, Ivelbury, Kestrel Point, Kingsholm Wharf, Larkfield,
Lindenhurst, Little Tarrow, Long Averley, Marlstone, Mossgate, Netherby Moor, Northquay, Oakhampton Rise,
Old Saltings, Orchard Vale, Penwick, Pinegarth, Quarry Bridge, Ravensey, Redcliffe Bar, Rushmere St Anne,
Saltholme, Sedgewater, Silverdale Cross, Southwold Lane, Stonepath, Tamarind Hill, Thornby, Underwood,
Upper Wend, Wexcombe, Whinmoor, Willowbank, Windle, Wychford, Yarrowdale
""")

STREETS = parse_names("""
Mill Lane, Station Road, Orchard Close, Church Walk, Bridge Street, Quarry Hill, The Crescent
""")


def random_person(rng: Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def random_place(rng: Random) -> str:
    return f"{rng.choice(STREETS)}, {rng.choice(PLACES)}"
