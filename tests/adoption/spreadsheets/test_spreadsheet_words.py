"""Spreadsheets in several languages: headers, values, and words with different meanings in two languages."""

from collections import defaultdict
from collections.abc import Sequence

import pytest

from adoption.animals.parsing.spreadsheet_words import LANGUAGES
from adoption.animals.parsing.text_cleanup import plain_word
from adoption.spreadsheets.columns.column_meanings import MEANINGS, PHOTOS
from adoption.spreadsheets.columns.column_recognition import recognise_header
from tests.adoption.spreadsheets.sheets import import_file, stored_animals
from tests.cast import Shelter

pytestmark = pytest.mark.settings("embedded")


def meanings(header: Sequence[str]) -> dict[str, str]:
    layout = recognise_header(header)
    read = {column.header: column.meaning for column in (*layout.codes, *layout.columns, *layout.photos)}
    return {each: read.get(each.strip(), "") for each in header}


SHEETS = {
    "Spanish": (
        "Código;Nombre;Especie;Raza;Sexo;Esterilizado;Fecha de nacimiento;Estado;Tamaño;Color;Nº de chip;"
        "Fecha de entrada;Niños;Perros;Gatos;Tasa de adopción;Foto",
        "A1;Luna;Perro;Mestizo;hembra;sí;28/02/2020;disponible;mediano;Negro;985112000000001;25/05/2024;sí;no;;120;",
        "A2;Tom;Gato;Siamés;macho castrado;;;en proceso de adopción;pequeño;Blanco;;;no;;sí;;",
        "A3;Ana;Conejo;;h;no;;en cuarentena;;;;;;;;;",
    ),
    "French": (
        "Référence;Nom;Espèce;Race;Sexe;Stérilisé(e);Date de naissance;Statut;Taille;Couleur;N° de puce;"
        "Date d'arrivée;OK enfants;OK chiens;OK chats;Frais d'adoption;Photo",
        "A1;Luna;Chienne;Croisé;femelle;oui;28/02/2020;à l'adoption;moyen;Noir;985112000000001;"
        "25/05/2024;oui;non;;120;",
        "A2;Tom;Chat;Siamois;mâle castré;;;réservé;petit;Blanc;;;non;;oui;;",
        "A3;Ana;Lapin nain;;femelle;non;;en quarantaine;;;;;;;;;",
    ),
    "German": (
        "Nummer;Name;Tierart;Rasse;Geschlecht;Kastriert;Geburtsdatum;Vermittlungsstatus;Größe;Farbe;Chipnummer;"
        "Aufnahmedatum;Kinderlieb;Hundeverträglich;Katzenverträglich;Schutzgebühr;Bild",
        "A1;Luna;Hund;Mischling;weiblich;ja;28.02.2020;verfügbar;mittel;Schwarz;985112000000001;25.05.2024;ja;nein;;120,00;",
        "A2;Tom;Katze;Siam;männlich kastriert;;;reserviert;klein;Weiß;;;nein;;ja;;",
        "A3;Ana;Kaninchen;;w;nein;;Quarantäne;;;;;;;;;",
    ),
    "Italian": (
        "Codice;Nome;Specie;Razza;Sesso;Sterilizzato/a;Data di nascita;Stato;Taglia;Colore;Numero microchip;"
        "Data di ingresso;Bambini;Cani;Gatti;Contributo adozione;Foto",
        "A1;Luna;Cane;Meticcio;femmina;sì;28/02/2020;in adozione;media;Nero;985112000000001;"
        "25/05/2024;sì;no;;120;",
        "A2;Tom;Gatto;Siamese;maschio castrato;;;prenotato;piccola;Bianco;;;no;;sì;;",
        "A3;Ana;Coniglio;;femmina;no;;in quarantena;;;;;;;;;",
    ),
    "Portuguese": (
        "Código;Nome;Espécie;Raça;Sexo;Castrado;Data de nascimento;Situação;Porte;Cor;Nº do microchip;"
        "Data de entrada;Bom com crianças;Bom com cães;Bom com gatos;Taxa de adoção;Foto",
        "A1;Luna;Cachorro;SRD;fêmea;sim;28/02/2020;disponível;médio;Preto;985112000000001;25/05/2024;sim;não;;120;",
        "A2;Tom;Gato;Siamês;macho castrado;;;em processo de adoção;pequeno;Branco;;;não;;sim;;",
        "A3;Ana;Coelho;;fêmea;não;;quarentena;;;;;;;;;",
    ),
    "Dutch": (
        "Diernummer;Naam;Soort;Ras;Geslacht;Gecastreerd/gesteriliseerd;Geboortedatum;Status;Grootte;Kleur;Chipnummer;"
        "Binnenkomst;Kan met kinderen;Kan met honden;Kan met katten;Adoptiekosten;Foto",
        "A1;Luna;Hond;Kruising;teef;ja;28-02-2020;beschikbaar;middel;Zwart;985112000000001;25-05-2024;ja;nee;;120;",
        "A2;Tom;Kat;Siamees;kater, gecastreerd;;;gereserveerd;klein;Wit;;;nee;;ja;;",
        "A3;Ana;Konijn;;vrouwtje;nee;;in quarantaine;;;;;;;;;",
    ),
    "Japanese": (
        "管理番号;名前;種類;品種;性別;避妊・去勢;生年月日;募集状況;サイズ;毛色;マイクロチップ番号;"
        "保護日;子供との相性;犬との相性;猫との相性;譲渡費用;写真",
        "A1;ルナ;犬;雑種;メス;済;2020-02-28;募集中;中型;黒;985112000000001;2024-05-25;可;不可;;120;",
        "A2;トム;猫;シャム;オス（去勢済）;;;商談中;小型;白;;;不可;;可;;",  # noqa: RUF001 - as they write them
        "A3;アナ;ウサギ;;メス;未;;隔離中;;;;;;;;;",
    ),
}
FIELDS = (
    "category", "sex", "altered", "status", "listed", "size", "good_with_children", "good_with_dogs",
    "good_with_cats",
)  # fmt: skip
ANIMALS = [
    ("Dog", "female", True, "available", True, "medium", True, False, None),
    ("Cat", "male", True, "pending", True, "small", False, None, True),
    ("Rabbit", "female", False, "available", False, None, None, None, None),
]


@pytest.mark.parametrize("language", SHEETS)
def test_a_sheet_in_another_language_is_read(shelter: Shelter, language: str) -> None:
    header = SHEETS[language][0].split(";")
    assert list(meanings(header).values()) == [
        "code", "name", "species", "breed_primary", "sex", "altered", "born", "status", "size", "colour",
        "microchip", "arrived", "children", "dogs", "cats", "fee", PHOTOS,
    ]  # fmt: skip
    result = import_file(shelter, "\n".join(SHEETS[language]))
    assert (result.refused, result.warnings) == ([], [])
    animals = stored_animals(shelter)
    assert [tuple(animal[field] for field in FIELDS) for animal in animals] == ANIMALS
    first = animals[0]
    assert first["breed_mixed"] is True
    assert (str(first["birth_date"]), str(first["arrival_date"])) == ("2020-02-28", "2024-05-25")
    assert (first["fee_cents"], first["microchip"]) == (12000, "985112000000001")
    assert animals[2]["in_quarantine"] is True


FURTHER = {
    "Nombre de la mascota,Tipo de animal,Descripción,Observaciones": "name species description notes",
    "Nom,Nombre,Type d'animal,Date d'adoption,Note interne": "name  species adopted notes",
    "Rufname,Spezies,Felllänge,Vermittlungstext,Transponder,stubenrein": (
        "name species coat description microchip house_trained"
    ),
    "Nome dell'animale,Tipo animale,Pelo,Descrizione,Note": "name species coat description notes",
    "Nome do animal,Tipo de pet,Pelagem,Descrição,Anotações": "name species coat description notes",
    "Roepnaam,Diersoort,Vachtlengte,Omschrijving,Zindelijk": "name species coat description house_trained",
    "お名前,動物種,被毛,紹介文,備考": "name species coat description notes",
    "FECHA_DE_NACIMIENTO,numero-de-chip,  RAZA  ": "born microchip breed_primary",
    # A word with different meanings in two languages is understood only beside other words of its language.
    "name,species,art": "name species ",
    "Name,Art,Rasse,Alter": "name species breed_primary age",
    "naam,ras,soort": "name breed_primary species",
    "name,species,race,porte,estado,color": "name species   place colour",
    "Name,Species,Nombre": "name species ",
    "Name,Tier,Kind,Gift,Chef": "name  species  ",
    # Other English words.
    "M/F,Dog Name,DOB (approx),Kid friendly": "sex name born children",
    "Sex (M/F),Date of arrival,Cat friendly,Dog friendly,About": "sex arrived cats dogs description",
    "ID #,Microchip No.,Breed(s),Animal Status,Type of animal": "code microchip breed_primary status species",
    "Staff notes,Surrendered by,Foster parent,Story,Color1,Color 2": (
        "notes surrenderer foster_home description colour colour_2"
    ),
}  # fmt: skip


@pytest.mark.parametrize("header", FURTHER)
def test_headers_are_recognised_in_each_language(header: str) -> None:
    assert list(meanings(header.split(",")).values()) == FURTHER[header].split(" ")


@pytest.mark.parametrize(
    ("header", "meaning"),
    [
        ("En cuarentena", "quarantine"), ("No publicar", "hides"), ("Fecha de fallecimiento", "died"),
        ("Quarantaine", "quarantine"), ("Ne pas publier", "hides"), ("Date de décès", "died"),
        ("Quarantäne", "quarantine"), ("Nicht veröffentlichen", "hides"), ("Verstorben am", "died"),
        ("In quarantena", "quarantine"), ("Non pubblicare", "hides"), ("Data decesso", "died"),
        ("Quarentena", "quarantine"), ("Não publicar", "hides"), ("Data do óbito", "died"),
        ("Quarantaine tot", "quarantine"), ("Niet publiceren", "hides"), ("Overleden", "died"),
        ("隔離", "quarantine"), ("非公開", "hides"), ("死亡日", "died"), ("公開", "listed"),
        ("Publicado", "listed"),
        ("Eingeschläfert", "died"), ("Gesperrt", "hold"), ("Euthanasié", "died"),
    ],
)  # fmt: skip
def test_hiding_headers_are_recognised_in_each_language(header: str, meaning: str) -> None:
    assert meanings([header]) == {header: meaning}


def test_no_value_word_has_two_meanings() -> None:
    for table in ("species", "sexes", "altered", "statuses", "sizes", "coats"):
        found: dict[str, set[str]] = defaultdict(set)
        for language in LANGUAGES:
            for meaning, words in getattr(language, table).items():
                for word in words.split("|"):
                    found[plain_word(word)].add(meaning)
        assert {word: reported for word, reported in found.items() if len(reported) > 1} == {}, table


def test_every_meaning_in_a_language_exists() -> None:
    for language in LANGUAGES:
        assert {*language.headers} <= {"", PHOTOS, *MEANINGS}


ORDINARY = (
    "Phone,Address,Total,Notes,City,State,Zip,Country,Email,Website,Fax,Company,Invoice,Quantity,Unit price,"
    "Discount,Tax,Amount,Due date,Paid,Balance,Order,Customer,First name,Last name,Title,Department,Manager,"
    "Password,Account,IBAN,Weight,Height,Volume,Comment count,Rating,Language,Currency,Time zone,Latitude"
)


def test_columns_about_other_things_are_not_mapped(shelter: Shelter) -> None:
    header = ORDINARY.split(",")
    assert len(header) == 40
    assert {each: meaning for each, meaning in meanings(header).items() if meaning} == {"Notes": "notes"}
    values = [f"secret {number}" for number in range(40)]
    result = import_file(shelter, f"name,species,{ORDINARY}\nRex,Dog,{','.join(values)}\n")
    assert (result.created, result.refused, result.warnings) == (1, [], [])
    (animal,) = stored_animals(shelter)
    found = {key for key, value in animal.items() if "secret" in str(value)}
    assert found == {"internal_notes"}
    assert animal["listed"] is True
