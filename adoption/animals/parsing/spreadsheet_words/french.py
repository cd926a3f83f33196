"""French."""

from adoption.animals.parsing.spreadsheet_words.language import Language

FRENCH = Language(
    headers={
        "": "nombre",
        "code": (
            "référence|numéro|n° d'identification interne|code de l'animal|numéro de registre|n° de registre"
        ),
        "name": "nom|nom de l'animal|prénom",
        "species": "espèce|type d'animal",
        "breed_primary": "race|race principale|race 1",
        "breed_secondary": "race secondaire|deuxième race|race 2",
        "mixed": "croisé|croisement|est croisé",
        "sex": "sexe",
        "altered": (
            "stérilisé|stérilisée|castré|castrée|stérilisation|stérilisé/castré|stérilisé(e)|castré/stérilisé"
        ),
        "born": "date de naissance|né le|née le|né(e) le|naissance",
        "age": "âge|âge approximatif",
        "size": "taille|gabarit",
        "coat": "poil|pelage|longueur du poil|type de poil",
        "colour": "couleur|couleur principale|robe",
        "status": "statut|état|disponibilité|situation|disponible",
        "reserved": "réservé|réservée",
        "adopted": "adopté|adoptée|date d'adoption",
        "description": "description|histoire|présentation|son histoire",
        "notes": "remarques|notes internes|commentaires|observations|note interne",
        "microchip": (
            "puce|numéro de puce|n° de puce|puce électronique|numéro d'identification|n° identification|icad"
        ),
        "arrived": "date d'entrée|date d'arrivée|arrivée|arrivé le|entrée|date de prise en charge",
        "children": (
            "enfants|ok enfants|entente enfants|sociable enfants|s'entend avec les enfants|"
            "bon avec les enfants"
        ),
        "dogs": (
            "chiens|ok chiens|entente chiens|sociable chiens|s'entend avec les chiens|bon avec les chiens"
        ),
        "cats": "chats|ok chats|entente chats|sociable chats|s'entend avec les chats|bon avec les chats",
        "house_trained": "propre|propreté",
        "special_needs": "besoins particuliers|besoins spécifiques",
        "fee": "frais d'adoption|tarif|prix|participation aux frais|participation|montant de l'adoption",
        "photos": "photo|photos|image|photo principale|lien photo",
    },
    weak=(
        "race|nom|description|situation|participation|état|entrée|enfants|chiens|chats|disponible|numéro|"
        "puce|tarif|commentaires|observations|robe|taille|présentation|prénom|référence"
    ),
    hiding={
        "quarantine": "quarantaine|isolement",
        "hold": "fourriere|maltraitance|delailegal",
        "died": "decede|deces|datedemort|euthanas",
        "hides": "nepaspublier|nonpubli|nonadoptable|pasadoptable|indisponible|nondisponible|masquer",
        "listed": "publie|publier|adoptable|alajdoption|aladoption|visiblesurlesite",
    },
    species={
        "Dog": "chien|chienne|chiens|chiot|chiots|canin",
        "Cat": "chat|chatte|chats|chaton|chatons|félin",
        "Rabbit": "lapin|lapine|lapins|lapin nain",
        "Small & furry": (
            "rongeur|rongeurs|nac|furet|hamster|cochon d'inde|cobaye|souris|chinchilla|gerbille|octodon"
        ),
        "Bird": "oiseau|oiseaux|perroquet|perruche|canari|poule|coq|pigeon|canard",
        "Horse": "cheval|jument|poney|âne|équidé|mule",
        "Barnyard": "animal de ferme|cochon|chèvre|mouton|vache|brebis",
        "Reptile": "reptile|tortue|serpent|lézard|amphibien|grenouille",
        "Fish": "poisson|poissons",
        "Other": "autre|autres",
    },
    sexes={"female": "femelle|fille|féminin", "male": "mâle|garçon|masculin"},
    altered={
        "yes": "stérilisé|stérilisée|castré|castrée|opéré|opérée",
        "no": "entier|entière|non stérilisé|non castré",
    },
    statuses={
        "available": (
            "disponible|à l'adoption|adoptable|à adopter|cherche famille|en famille d'accueil|en accueil"
        ),
        "pending": (
            "réservé|réservée|en cours d'adoption|adoption en cours|en attente d'adoption|pré-adopté|option"
        ),
        "sold": "adopté|adoptée|placé|placée",
        "hidden": (
            "non disponible|indisponible|pas disponible|non adoptable|décédé|décédée|mort|morte|"
            "euthanasié|euthanasiée|transféré|transférée|restitué|rendu à son propriétaire|perdu|sorti|"
            "en soins|bientôt disponible|bientôt"
        ),
        "on_hold": "bloqué|bloquée|en fourrière|fourrière|saisie|en attente|délai légal",
        "in_quarantine": "quarantaine|en quarantaine|isolement|en isolement",
    },
    sizes={
        "small": "petit|petite|p|très petit|nain",
        "medium": "moyen|moyenne",
        "large": "grand|grande|g",
        "xlarge": "très grand|très grande|géant|tg",
    },
    coats={
        "short": "court|poil court|ras|poil ras",
        "medium": "mi-long|moyen|poil mi-long",
        "long": "long|poil long",
        "wire": "dur|poil dur",
        "curly": "frisé|bouclé",
        "hairless": "sans poil|nu",
    },
    yes="oui|vrai",
    no="non|faux|aucun|aucune",
    unknown="inconnu|inconnue|ne sait pas|nsp|à déterminer|non connu|non renseigné",
    not_yet="non|pas|bientôt|jusqu|après|sauf|dès",
)
