"""What code says, in Spanish. The user is "tú"; names of files stand as they are and keep to no gender."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

Sentences = Mapping[str, str | tuple[str, str]]

NOUNS: Mapping[str, tuple[str, str]] = {
    "file": ("archivo", "archivos"),
    "folder": ("carpeta", "carpetas"),
    "large file": ("archivo grande", "archivos grandes"),
    "line": ("línea", "líneas"),
    "thing": ("elemento", "elementos"),
}


def _and(following: str) -> str:
    """ "e" before the sound of i, unless it glides into another vowel: "e informe.txt", "y hielo.txt"."""
    return "e" if re.match(r"h?i(?![aeou])", _plain(following)) else "y"


def _or(following: str) -> str:
    return "u" if re.match(r"h?o", _plain(following)) else "o"


def _plain(text: str) -> str:
    """Small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


JOINTS: Mapping[str, Callable[[str], str]] = {"and": _and, "or": _or}

_CHANGES: Sentences = {
    "created": "He creado {name} con {content}.",
    "created_empty": "He creado {name}, vacío.",
    "replaced": "He reemplazado el texto de {name} por {content}.",
    "added": "He añadido {content} al final de {name}.",
    "changed": "He cambiado {name}.",
    "changed_to": 'He cambiado {name}: ahora dice "{line}".',
    "changed_fewer": (
        "He cambiado {name}: se ha quitado {lines}.",
        "He cambiado {name}: se han quitado {lines}.",
    ),
    "not_created": "No se creó {name}",
    "not_replaced": "No se reemplazó {name}",
    "not_added": "No se añadió nada a {name}",
    "not_changed": "No se cambió {name}",
    "exists_already": "{name} ya existe. ¿Qué archivo nuevo quieres, y qué va dentro?",
    "not_valid": "No es {language} válido: {fault}.",
}
_PLACES: Sentences = {
    "moved": "He movido {source} {where}{replaced}.",
    "renamed": "He cambiado el nombre de {source} {where}{replaced}.",
    "copied": "He copiado {source} {where}{replaced}.",
    "deleted": "He movido {source} a la papelera.",
    "deleted_folder": "He movido la carpeta {source} a la papelera.",
    "deleted_full_folder": "He movido la carpeta {source}, con {things} dentro, a la papelera.",
    "folder_made": "He creado la carpeta {name}.",
    "to_name": "a {name}",
    "into_folder": "a la carpeta {folder}",
    "into_workspace": "al espacio de trabajo",
    "and_replaced": ", y he movido a la papelera el archivo que estaba allí",
    "not_moved": "No se movió {name}",
    "not_renamed": "No se cambió el nombre de {name}",
    "not_copied": "No se copió {name}",
    "not_deleted": "No se eliminó {name}",
    "not_made": "No se creó la carpeta {name}",
}
_LOOKING: Sentences = {
    "folder_holds": "La carpeta {folder} contiene {counts}: {names}.",
    "folder_empty": "La carpeta {folder} está vacía.",
    "with_ending": "{counts} con terminación {endings}: {names}.",
    "workspace_holds": "El espacio de trabajo contiene {counts}: {names}.",
    "workspace_empty": "El espacio de trabajo está vacío.",
    "file_empty": "El archivo {name} está vacío.",
    "both_counts": "{files} y {folders}",
    "was_read": "He leído {name}. ",
    "nothing_to_sum_up": "No hay nada que resumir.",
    "found_named": (
        "{things} tiene {query} en el nombre: {names}.",
        "{things} tienen {query} en el nombre: {names}.",
    ),
    "found_in_files": "{files} mencionan {query}: {names}.",
    "found_on_lines": "1 archivo menciona {query}: {name}, en {lines}.",
    "found_on_line": '1 archivo menciona {query}: {name}, en la línea {number}: "{line}"',
    "found_nothing": "Ningún archivo menciona {query}.",
    "not_looked_into": "No he mirado dentro de {files}.",
    "first_names_only": "Solo he mirado los primeros {count} nombres.",
    "which_file": "¿A qué archivo te refieres: {names}?",
    "which_folder": "¿A qué carpeta te refieres: {names}?",
    "which_reading": "¿Quieres que {one} o que {other}?",
    "which_name": "¿Cómo debe llamarse {name}?",
    "which_text": "¿Qué hay que cambiar en {name}, y por qué otra cosa?",
    "which_new_file": "¿Cómo debe llamarse el archivo y qué va dentro?",
}
_TERMINAL: Sentences = {
    "command_ran": "He ejecutado el comando",
    "command_ran_status": "He ejecutado el comando; terminó con el código de salida {status}",
    "command_not_run": "No se ejecutó el comando",
    "command_dropped": "{ended}. No se conservó nada de lo que cambió",
    "command_kept": "Se conservó lo que cambió: {names}.",
    "command_left_out": "Esto no se conservó: {names}.",
    "command_too_much": "Cambió más de lo que se puede mostrar, así que no se conservó nada.",
    "stopped_changes": "El comando se detuvo: cambió más de {most} MB o de {files} archivos",
    "fact_not_kept": "No se recordó",
    "stopped_time": "El comando se detuvo a los {seconds} segundos, antes de terminar",
    "stopped_processes": "El comando se detuvo: inició más de {most} procesos",
    "stopped_memory": "El comando se detuvo: ocupó más de {most} MB de memoria",
    "stopped_output": "El comando se detuvo: mostró más de {most} MB",
    "stopped_command": "El comando se detuvo",
    "printed_nothing": "{ended}. No mostró nada.",
    "printed": "{ended}. Mostró:\n{printed}",
    "printed_lines": "{ended}. Mostró {lines}; la última: {last}",
}
_MEMORY: Sentences = {
    "remembered": "Lo recordaré: {fact}",
    "remembered_already": "Eso ya lo recuerdo: {fact}",
    "no_credentials": (
        "No recuerdo contraseñas, PIN, números de tarjeta ni claves: lo que recuerdo se guarda a la vista."
    ),
    "memory_full": "Recuerdo {count} cosas y no caben más. `aria facts forget` quita algunas.",
    "nothing_remembered": "No me has pedido que recuerde nada.",
    "not_remembered": "No recuerdo nada sobre eso.",
    "told_one": "Me dijiste esto: {fact}",
    "told_several": "Me dijiste esto:\n{facts}",
    "told_more": "\ny {count} más; `aria facts` los muestra todos.",
}
_TURNS: Sentences = {
    "refused": "{what}: {reason}.",
    "refused_changed": "{what}.",
    "you_said_no": "dijiste que no",
    "not_allowed": "no se permitió ({by})",
    "switched_off": "{tool} está desactivado.",
    "cannot": "No puedo hacer eso. {reason}",
    "not_known": "No se sabe si {tool} llegó a ejecutarse: el programa se detuvo a la mitad.",
    "nothing_changed": "No ha cambiado nada.",
    "no_usable_reply": "El modelo de lenguaje no dio ninguna respuesta utilizable.",
    "did_not_work": "{tool} no funcionó: {reason}",
    "stopped": "Parado.",
    "faster": "A partir de ahora hablo más rápido.",
    "slower": "A partir de ahora hablo más despacio.",
    "no_faster": "No puedo hablar más rápido.",
    "no_slower": "No puedo hablar más despacio.",
    "no_undo": "Los cambios de esta carpeta no se registran, así que no puedo deshacerlos. No ha cambiado nada.",
    "nothing_to_undo": "No hay ningún cambio que pueda deshacer.",
    "nothing_of_call": "Eso no puedo deshacerlo, o ya está deshecho.",
    "undo_out_of_reach": "Lo último que hice fue {tool}, y eso no puedo deshacerlo. `aria undo list` muestra lo demás.",
    "undone": ("He deshecho 1 cambio.", "He deshecho {count} cambios."),
    "not_undone": (
        "1 cambio se queda, porque algo ha cambiado desde entonces.",
        "{count} cambios se quedan, porque algo ha cambiado desde entonces.",
    ),
    "undo_refused": "No se ha deshecho nada",
    "new_conversation": "Esta es una conversación nueva.",
    "one_moment": "Un momento.",
    "goodbye": "Adiós.",
    "no_answer_yet": "Todavía no hay ninguna respuesta en esta conversación.",
    "no_voice": "No hay ninguna voz en español, así que la respuesta no se lee en voz alta.",
}
SENTENCES: Sentences = {
    **_CHANGES, **_PLACES, **_LOOKING, **_TERMINAL, **_MEMORY, **_TURNS
}  # fmt: skip

ERRORS: Mapping[str, str] = {
    "path_refused": "El espacio de trabajo mismo no se mueve, ni se copia, ni se elimina.",
    "path_symlink": "Es un enlace, y los enlaces no se siguen.",
    "path_aliased": "El archivo tiene otro nombre en otro lugar.",
    "path_not_regular": "Hace falta un archivo, o una carpeta, y eso es otra cosa.",
    "path_outside": "Ese lugar está fuera del espacio de trabajo.",
    "file_missing": "No hay nada con ese nombre en el espacio de trabajo.",
    "path_protected": "Es un archivo protegido: otros programas ejecutan u obedecen esos archivos más tarde.",
}
"""Of what the file door does not let through, or does not find."""
READINGS: Mapping[str, str] = {
    "append_file": "añada algo a un archivo",
    "copy_file": "copie un archivo",
    "create_file": "cree un archivo nuevo",
    "delete_file": "borre algo",
    "edit_file": "cambie un archivo que ya existe",
    "make_folder": "cree una carpeta nueva",
    "move_file": "mueva algo o le cambie el nombre",
    "run_terminal": "ejecute un comando",
    "write_code": "escriba un programa",
}
DECIDERS: Mapping[str, str] = {
    "nobody there to ask": "no había nadie a quien preguntar",
    "time-out": "se agotó el tiempo",
}
