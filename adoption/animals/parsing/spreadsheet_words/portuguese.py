"""Portuguese, of Portugal and Brazil."""

from adoption.animals.parsing.spreadsheet_words.language import Language

PORTUGUESE = Language(
    headers={
        "code": "código|código do animal|referência|número de registo|número de registro|ficha",
        "name": "nome|nome do animal|nome do pet",
        "species": "espécie|tipo de animal|tipo de pet",
        "breed_primary": "raça|raça principal|raça 1",
        "breed_secondary": "raça secundária|segunda raça|raça 2",
        "mixed": "mestiço|cruzado|srd|sem raça definida",
        "sex": "sexo|gênero|género",
        "altered": (
            "castrado|castrada|esterilizado|esterilizada|castração|castrado/esterilizado|castrado(a)"
        ),
        "born": "data de nascimento|data nascimento|nascimento|nascido em|data nasc",
        "age": "idade|idade aproximada",
        "size": "porte|tamanho",
        "coat": "pelo|pelagem|tipo de pelo|tipo de pelagem",
        "colour": "cor|cor principal|cor da pelagem",
        "status": "estado|situação|status de adoção|disponibilidade|disponível",
        "reserved": "reservado|reservada",
        "adopted": "adotado|adotada|adoptado|adoptada|data de adoção|data da adoção",
        "description": "descrição|história|apresentação",
        "notes": "observações|notas internas|notas|anotações|comentários",
        "microchip": "microchip|número do microchip|nº do microchip|número do chip|chip",
        "arrived": (
            "data de entrada|data entrada|data de chegada|entrada|data de resgate|data do resgate|acolhido em"
        ),
        "children": (
            "crianças|bom com crianças|sociável com crianças|convive com crianças|se dá bem com crianças"
        ),
        "dogs": (
            "cães|bom com cães|sociável com cães|convive com cães|bom com cachorros|convive com cachorros"
        ),
        "cats": "gatos|bom com gatos|sociável com gatos|convive com gatos|se dá bem com gatos",
        "house_trained": "treinado em casa|faz as necessidades fora|faz necessidades no local certo",
        "special_needs": "necessidades especiais",
        "fee": "taxa de adoção|taxa de adopção|valor da adoção|preço|contribuição",
        "photos": "foto|fotos|fotografia|imagem|imagens|foto principal",
    },
    weak=(
        "cor|porte|estado|entrada|cães|gatos|crianças|disponível|história|contribuição|ficha|comentários|"
        "pelo|apresentação|nome"
    ),
    hiding={
        "quarantine": "quarentena|isolamento",
        "hold": "retido|bloquead|apreendid|maustratos|judicial",
        "died": "falecid|falecimento|obito|datadamorte|datademorte|eutanas",
        "hides": "naopublic|naoadotavel|naoadoptavel|naodisponivel|indisponivel|naodivulgar|oculto|ocultar",
        "listed": "publicad|publicar|adotavel|adoptavel|paraadocao|divulgar",
    },
    species={
        "Dog": "cão|cadela|cães|cachorro|cachorra|cachorros|cachorrinho|canino",
        "Cat": "gato|gata|gatos|gatinho|gatinha|felino",
        "Rabbit": "coelho|coelha|coelhos",
        "Small & furry": (
            "roedor|roedores|furão|hamster|porquinho-da-índia|porquinho da índia|rato|camundongo|chinchila"
        ),
        "Bird": "ave|aves|pássaro|papagaio|periquito|canário|calopsita|galinha|galo|pombo|pato",
        "Horse": "cavalo|égua|pônei|pónei|burro|jumento|mula|equino",
        "Barnyard": "animal de quinta|animal de fazenda|porco|cabra|ovelha|vaca|cordeiro",
        "Reptile": "réptil|répteis|tartaruga|cobra|lagarto|cágado|jabuti|anfíbio|rã",
        "Fish": "peixe|peixes",
        "Other": "outro|outra|outros|exótico",
    },
    sexes={"female": "fêmea|feminino|menina", "male": "macho|masculino|menino"},
    altered={
        "yes": "castrado|castrada|esterilizado|esterilizada|operado|operada",
        "no": "inteiro|inteira|não castrado|não castrada",
    },
    statuses={
        "available": (
            "disponível|para adoção|para adopção|em adoção|adotável|procura família|em lar temporário|"
            "lar temporário|em fat"
        ),
        "pending": "reservado|reservada|em processo de adoção|adoção em andamento|em análise|pendente",
        "sold": "adotado|adotada|adoptado|adoptada",
        "hidden": (
            "não disponível|indisponível|não adotável|falecido|falecida|morto|morta|óbito|eutanasiado|"
            "eutanasiada|transferido|transferida|devolvido ao tutor|devolvido ao dono|desaparecido|"
            "em tratamento|em breve"
        ),
        "on_hold": "retido|retida|bloqueado|bloqueada|em espera|apreendido|apreendida",
        "in_quarantine": "quarentena|em quarentena|isolamento|em isolamento",
    },
    sizes={
        "small": "pequeno|pequena|p|mini|muito pequeno|pp",
        "medium": "médio|média",
        "large": "grande|g",
        "xlarge": "muito grande|gigante|gg",
    },
    coats={
        "short": "curto|curta|pelo curto",
        "medium": "médio|média",
        "long": "longo|longa|pelo longo",
        "wire": "duro|arame",
        "curly": "encaracolado|cacheado",
        "hairless": "sem pelo",
    },
    yes="sim|s|verdadeiro",
    no="não|falso|nenhum|nenhuma",
    unknown="desconhecido|desconhecida|não sei|não se sabe|não informado|a definir",
    not_yet="não|nao|breve|até|depois|após|ainda|partir|exceto|sem",
)
