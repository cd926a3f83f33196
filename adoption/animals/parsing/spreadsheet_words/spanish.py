"""Spanish."""

from adoption.animals.parsing.spreadsheet_words.language import Language

SPANISH = Language(
    headers={
        "code": (
            "código|código del animal|referencia|número de registro|nº de registro|num registro|expediente|"
            "nº de ficha|ficha|número de ficha"
        ),
        "name": "nombre|nombre del animal|nombre de la mascota",
        "species": "especie|tipo|tipo de animal|tipo de mascota",
        "breed_primary": "raza|raza principal|raza 1",
        "breed_secondary": "raza secundaria|segunda raza|raza 2",
        "mixed": "mestizo|cruce|es mestizo",
        "sex": "sexo|género",
        "altered": (
            "esterilizado|esterilizada|castrado|castrada|esterilización|esterilizado/castrado|"
            "castrado/esterilizado|esterilizado/a|castrado/a"
        ),
        "born": "fecha de nacimiento|fecha nacimiento|nacimiento|f. nacimiento|fecha nac|nacido",
        "age": "edad|edad aproximada",
        "size": "tamaño|talla|porte",
        "coat": "pelo|pelaje|tipo de pelo|largo del pelo",
        "colour": "color|color principal|capa",
        "status": "estado|estado de adopción|situación|disponibilidad|disponible",
        "reserved": "reservado|reservada",
        "adopted": "adoptado|adoptada|fecha de adopción",
        "description": "descripción|historia|biografía|sobre mí|presentación",
        "notes": "notas|notas internas|observaciones|comentarios",
        "microchip": "microchip|número de chip|nº chip|nº de chip|número de microchip|nº de microchip|chip",
        "arrived": (
            "fecha de entrada|fecha de ingreso|fecha entrada|fecha ingreso|fecha de llegada|ingreso|entrada"
        ),
        "children": (
            "niños|apto niños|apto con niños|bueno con niños|compatible con niños|sociable con niños"
        ),
        "dogs": (
            "perros|apto perros|apto con perros|bueno con perros|compatible con perros|"
            "convive con perros|sociable con perros"
        ),
        "cats": (
            "gatos|apto gatos|apto con gatos|bueno con gatos|compatible con gatos|"
            "convive con gatos|sociable con gatos"
        ),
        "house_trained": "educado en casa|hábitos de higiene|hace sus necesidades fuera",
        "special_needs": "necesidades especiales",
        "fee": "tasa de adopción|tarifa de adopción|cuota de adopción|precio|costo de adopción|donativo",
        "photos": "foto|fotos|fotografía|imagen|imágenes|foto principal|url foto",
    },
    weak="tipo|ficha|color|porte|talla|capa|entrada|ingreso|disponible|perros|gatos|niños|comentarios|estado|historia",
    hiding={
        "quarantine": "cuarentena|aislamiento",
        "hold": "retenido|retencion|bloquead|enespera|maltrato|judicial",
        "died": "fallecid|fallecimiento|muert|eutanasia|defuncion|sacrificad",
        "hides": "nopublic|noadoptable|noenadopcion|nodisponible|noapto|oculto|ocultar",
        "listed": "publicad|publicar|adoptable|enadopcion|visibleweb",
    },
    species={
        "Dog": "perro|perra|perros|cachorro|cachorra|cachorros|can|canino|canina",
        "Cat": "gato|gata|gatos|gatito|gatita|felino|felina",
        "Rabbit": "conejo|coneja|conejos",
        "Small & furry": (
            "roedor|roedores|hurón|hámster|cobaya|cuy|conejillo de indias|rata|ratón|chinchilla|erizo"
        ),
        "Bird": "ave|aves|pájaro|pájaros|loro|periquito|canario|gallina|gallo|paloma|pato|cotorra",
        "Horse": "caballo|yegua|equino|poni|burro|asno|mula|potro",
        "Barnyard": "animal de granja|cerdo|cabra|oveja|vaca|cordero",
        "Reptile": "reptil|reptiles|tortuga|serpiente|lagarto|iguana|anfibio|rana",
        "Fish": "pez|peces",
        "Other": "otro|otra|otros|exótico",
    },
    sexes={"female": "hembra|h|femenino|niña", "male": "macho|masculino|niño"},
    altered={
        "yes": "esterilizado|esterilizada|castrado|castrada|operado|operada",
        "no": "entero|entera|sin esterilizar|sin castrar",
    },
    statuses={
        "available": ("disponible|en adopción|adoptable|para adoptar|para adopción|busca hogar|en acogida"),
        "pending": (
            "reservado|reservada|en proceso de adopción|en trámite|pendiente|preadoptado|preadoptada"
        ),
        "sold": "adoptado|adoptada|con familia",
        "hidden": (
            "no disponible|no adoptable|fallecido|fallecida|muerto|muerta|eutanasiado|eutanasiada|"
            "trasladado|trasladada|devuelto a su dueño|perdido|perdida|baja|no publicar|en tratamiento|"
            "próximamente"
        ),
        "on_hold": "retenido|retenida|bloqueado|bloqueada|en espera|caso judicial",
        "in_quarantine": "cuarentena|en cuarentena|aislamiento|en aislamiento",
    },
    sizes={
        "small": "pequeño|pequeña|p|chico|chica|mini|muy pequeño",
        "medium": "mediano|mediana|medio",
        "large": "grande|g",
        "xlarge": "muy grande|gigante|extra grande",
    },
    coats={
        "short": "corto|pelo corto",
        "medium": "medio|semilargo",
        "long": "largo|pelo largo",
        "wire": "duro|áspero",
        "curly": "rizado",
        "hairless": "sin pelo",
    },
    yes="sí|si|verdadero|s|afirmativo",
    no="no|falso|ninguno|ninguna",
    unknown="desconocido|desconocida|no se sabe|sin datos|por determinar|no sabe",
    not_yet="no|pronto|hasta|después|todavía|aún|desde|salvo|sin",
)
