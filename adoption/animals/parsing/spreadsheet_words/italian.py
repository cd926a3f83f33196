"""Italian."""

from adoption.animals.parsing.spreadsheet_words.language import Language

ITALIAN = Language(
    headers={
        "code": "codice|codice animale|riferimento|numero di registro|matricola",
        "name": "nome|nome animale|nome dell'animale",
        "species": "specie|tipo di animale|tipo animale",
        "breed_primary": "razza|razza principale|razza 1",
        "breed_secondary": "razza secondaria|seconda razza|razza 2",
        "mixed": "meticcio|incrocio",
        "sex": "sesso",
        "altered": (
            "sterilizzato|sterilizzata|castrato|castrata|sterilizzazione|sterilizzato/castrato|sterilizzato/a"
        ),
        "born": "data di nascita|data nascita|nascita|nato il|nata il|nato/a il",
        "age": "età|età approssimativa",
        "size": "taglia|dimensione|dimensioni",
        "coat": "pelo|mantello|lunghezza del pelo|tipo di pelo",
        "colour": "colore|colore principale",
        "status": "stato|stato adozione|disponibilità|situazione|disponibile",
        "reserved": "riservato|riservata|prenotato|prenotata",
        "adopted": "adottato|adottata|data adozione|data di adozione",
        "description": "descrizione|storia|presentazione",
        "notes": "note|note interne|osservazioni|commenti",
        "microchip": "microchip|numero microchip|numero chip|n. microchip|chip",
        "arrived": "data di ingresso|data ingresso|data di arrivo|data arrivo|ingresso|arrivo|data entrata",
        "children": (
            "bambini|compatibile con bambini|va d'accordo con i bambini|compatibile bambini|adatto ai bambini"
        ),
        "dogs": (
            "cani|compatibile con cani|va d'accordo con i cani|compatibile cani|compatibile con altri cani"
        ),
        "cats": "gatti|compatibile con gatti|va d'accordo con i gatti|compatibile gatti",
        "house_trained": "abituato in casa|educato ai bisogni|pulito in casa",
        "special_needs": "esigenze particolari|bisogni speciali|esigenze speciali",
        "fee": "contributo|contributo adozione|quota di adozione|costo adozione|prezzo|rimborso spese",
        "photos": "foto|fotografia|immagine|immagini|foto principale",
    },
    weak=(
        "note|stato|colore|pelo|età|ingresso|arrivo|bambini|cani|gatti|contributo|commenti|disponibile|"
        "dimensione|dimensioni|presentazione|storia|nome"
    ),
    hiding={
        "quarantine": "quarantena|isolamento",
        "hold": "bloccat|trattenut|sequestr|maltrattamento",
        "died": "decedut|decesso|datadimorte|datamorte|eutanasia|soppress",
        "hides": "nonpubblic|nonadottabile|nondisponibile|nascost|nascondere",
        "listed": "pubblicat|pubblicare|adottabile|inadozione",
    },
    species={
        "Dog": "cane|cagna|cani|cucciolo|cuccioli|canino|cagnolino",
        "Cat": "gatto|gatta|gatti|gattino|gattini|felino",
        "Rabbit": "coniglio|coniglia|conigli|coniglio nano",
        "Small & furry": (
            "roditore|roditori|furetto|criceto|cavia|porcellino d'india|ratto|topo|cincillà|gerbillo"
        ),
        "Bird": "uccello|uccelli|pappagallo|canarino|gallina|gallo|piccione|anatra|cocorita",
        "Horse": "cavallo|cavalla|pony|asino|mulo|equino",
        "Barnyard": "animale da fattoria|maiale|capra|pecora|mucca|agnello",
        "Reptile": "rettile|rettili|tartaruga|serpente|lucertola|anfibio|rana",
        "Fish": "pesce|pesci",
        "Other": "altro|altra|altri|esotico",
    },
    sexes={"female": "femmina|femminuccia|femminile", "male": "maschio|maschietto|maschile"},
    altered={
        "yes": "sterilizzato|sterilizzata|castrato|castrata|operato|operata",
        "no": "intero|intera|non sterilizzato|non sterilizzata|non castrato",
    },
    statuses={
        "available": ("disponibile|in adozione|adottabile|cerca casa|cerca famiglia|in stallo|in affido"),
        "pending": (
            "riservato|riservata|prenotato|prenotata|in corso di adozione|adozione in corso|"
            "in trattativa|preaffido"
        ),
        "sold": "adottato|adottata|affidato definitivamente",
        "hidden": (
            "non disponibile|non adottabile|deceduto|deceduta|morto|morta|soppresso|trasferito|"
            "trasferita|restituito|restituito al proprietario|smarrito|in cura|presto disponibile|"
            "prossimamente"
        ),
        "on_hold": "bloccato|bloccata|sotto sequestro|sequestrato|in attesa",
        "in_quarantine": "quarantena|in quarantena|isolamento|in isolamento",
    },
    sizes={
        "small": "piccolo|piccola|p|molto piccola|mini|toy",
        "medium": "medio|media",
        "large": "grande|g",
        "xlarge": "molto grande|gigante|grandissima|grandissimo",
    },
    coats={
        "short": "corto|raso|pelo corto|pelo raso",
        "medium": "medio|semilungo|pelo medio",
        "long": "lungo|pelo lungo",
        "wire": "duro|ruvido|pelo duro",
        "curly": "riccio",
        "hairless": "senza pelo|nudo",
    },
    yes="sì|si|vero|s",
    no="no|falso|nessuno|nessuna",
    unknown="sconosciuto|sconosciuta|non noto|non so|da definire|ignoto|non conosciuto",
    not_yet="non|no|presto|fino|dopo|ancora|dal|tranne|senza",
)
