import type { Said } from '../translator.ts'

/** What the codes of the platform (src/graph/codeTable.ts) and ours (src/base/errors.ts) mean, by the English words. */
export const reasons: Said = {
  'Account made too many calls': 'La cuenta hizo demasiadas llamadas',
  'The account or the app made too many calls.': 'La cuenta o la aplicación hizo demasiadas llamadas.',
  'Send it again later. If it happens often, send more slowly.':
    'Envíalo de nuevo más tarde. Si ocurre a menudo, envía más despacio.',
  'Line sent too fast': 'La línea envió demasiado rápido',
  'The line sent too many messages in a short time.': 'La línea envió demasiados mensajes en poco tiempo.',
  'Send it again later. If it happens often, lower the pace of the line.':
    'Envíalo de nuevo más tarde. Si ocurre a menudo, reduce el ritmo de la línea.',
  'Too many to this recipient': 'Demasiados a este destinatario',
  'Too many messages went to this recipient in a short time.':
    'Este destinatario recibió demasiados mensajes en poco tiempo.',
  'Send it again later, and fewer messages to one person.':
    'Envíalo de nuevo más tarde, y menos mensajes a una misma persona.',
  'Platform was overloaded': 'La plataforma estaba sobrecargada',
  'The platform was down or overloaded for a moment.': 'La plataforma estuvo caída o sobrecargada un momento.',
  'Send again later.': 'Envía de nuevo más tarde.',
  'Line was being moved': 'La línea se estaba trasladando',
  'The line was being moved to other hardware, which takes about a minute.':
    'La línea se estaba trasladando a otro equipo, lo que tarda más o menos un minuto.',
  'Send again in some minutes.': 'Envía de nuevo en unos minutos.',
  'Refused without a clear reason': 'Rechazado sin un motivo claro',
  'The platform refused without a clear reason. It does not promise that nothing was sent.':
    'La plataforma lo rechazó sin un motivo claro. No promete que no se haya enviado nada.',
  'Wait for a callback. Send again only if the recipient got nothing.':
    'Espera una notificación. Envía de nuevo solo si al destinatario no le llegó nada.',
  'Request was not accepted': 'No se aceptó la solicitud',
  'The platform does not take this request.': 'La plataforma no acepta esta solicitud.',
  "Correct what the platform's words name. The same request would be refused again.":
    'Corrige lo que indica la plataforma. La misma solicitud se rechazaría otra vez.',
  'Not sent for now': 'No se envía por ahora',
  'The platform does not send this message for now.': 'La plataforma no envía este mensaje por ahora.',
  'Wait at least 24 hours before you try again.': 'Espera al menos 24 horas antes de volver a intentarlo.',
  'Platform limits the account': 'La plataforma limita la cuenta',
  'The platform limits the account.': 'La plataforma limita la cuenta actualmente.',
  "Look at the account in the platform's own console, and do what it asks for.":
    'Mira la cuenta en la consola de la plataforma y haz lo que pide.',
  'Line or account is blocked': 'Línea o cuenta bloqueada',
  'The line or the account may not send.': 'La línea o la cuenta no puede enviar.',
  "Look at the account in the platform's own console: it says what is missing or restricted.":
    'Mira la cuenta en la consola de la plataforma: dice qué falta o qué está restringido.',
  'Access token not valid': 'El token de acceso no vale',
  'The access token of the channel is not valid any more.': 'El token de acceso del canal ya no es válido.',
  'Make a new token in the platform and give it to the channel. Nothing can be sent before that.':
    'Crea un token nuevo en la plataforma y dáselo al canal. Antes no se puede enviar nada.',
  'The line sent more messages a second than it may.': 'La línea envió más mensajes por segundo de los permitidos.',
  'Line restricted after reports': 'Línea restringida por denuncias',
  'The line is restricted, because recipients reported or blocked it.':
    'La línea está restringida porque los destinatarios la denunciaron o bloquearon.',
  'Send less and only to people who expect it. The restriction lasts for hours.':
    'Envía menos y solo a quien lo espera. La restricción dura horas.',
  'Field or file not valid': 'Campo o archivo no válido',
  'A field of the request is not valid, misspelled or too long, or a file expired.':
    'Un campo de la solicitud no es válido, está mal escrito o es demasiado largo, o un archivo caducó.',
  'Recipient is blocked by you': 'Has bloqueado al destinatario',
  'Your business has blocked the recipient on this line.': 'Tu empresa ha bloqueado al destinatario en esta línea.',
  'Unblock the person in the conversation, or do not write to this person any more.':
    'Desbloquea a la persona en la conversación, o no le escribas más.',
  'Recipient is in an experiment': 'Destinatario en un experimento',
  'The recipient is part of an experiment of the platform and gets no marketing.':
    'El destinatario participa en un experimento de la plataforma y no recibe publicidad.',
  'Nothing. The recipient gets other kinds of messages.': 'Nada. El destinatario recibe otros tipos de mensajes.',
  'Country is not allowed': 'País no permitido',
  'The account may not send to this country.': 'La cuenta no puede enviar a este país.',
  'Remove such recipients from your list.': 'Quita a esos destinatarios de tu lista.',
  'Required field is missing': 'Falta un campo obligatorio',
  'A required field is missing.': 'Falta un campo que es obligatorio.',
  'Value is not valid': 'El valor no es válido',
  'The value of a field is not valid.': 'El valor de un campo no es válido.',
  'Sender is the recipient': 'El remitente es el destinatario',
  'Sender and recipient are the same number.': 'El remitente y el destinatario son el mismo número.',
  'Send to another number.': 'Envía a otro número.',
  'Number cannot be reached': 'No se puede llegar al número',
  'The message cannot be delivered: the number has no account, an old app, or has not accepted the terms.':
    'El mensaje no se puede entregar: el número no tiene cuenta, tiene una aplicación antigua o no ha aceptado las ' +
    'condiciones.',
  ['Check the number with the recipient, or use another way to reach them. Some countries write one mobile number ' +
    'in two ways, with and without one more digit: perhaps the other one is known.']:
    'Comprueba el número con el destinatario, o usa otra vía. Algunos países escriben un número móvil de dos ' +
    'maneras, con y sin un dígito más: quizá se conozca la otra.',
  'Not on the test list': 'No está en la lista de prueba',
  "The recipient is not on the test line's list.": 'El destinatario no está en la lista de la línea de prueba.',
  ["Add the number to the list in the platform's own console, or send from a real line. Some countries write one " +
    'mobile number in two ways, with and without one more digit: perhaps the other one is known.']:
    'Añade el número a la lista en la consola de la plataforma, o envía desde una línea real. Algunos países ' +
    'escriben un número móvil de dos maneras, con y sin un dígito más: quizá se conozca la otra.',
  'Over 24 hours without answer': 'Más de 24 horas sin respuesta',
  'For the platform, more than 24 hours have passed since the recipient wrote last.':
    'Para la plataforma han pasado más de 24 horas desde que el destinatario escribió por última vez.',
  ['Send an approved template. Free texts are possible only within 24 hours of an answer. Where the window is ' +
    'shown as open, the platform may not have seen that answer yet: send it again.']:
    'Envía una plantilla aprobada. Los textos libres solo son posibles en las 24 horas tras una respuesta. Donde ' +
    'la ventana figura como abierta, quizá la plataforma aún no vio esa respuesta: envíalo de nuevo.',
  'Recipient stopped marketing': 'El destinatario no quiere publicidad',
  'The recipient stopped marketing from this business.': 'El destinatario canceló la publicidad de esta empresa.',
  'Send no marketing to this person any more. Other categories still arrive.':
    'No envíes más publicidad a esta persona. Las demás categorías siguen llegando.',
  'Unknown kind of message': 'Tipo de mensaje desconocido',
  'The platform does not know this kind of message.': 'La plataforma no conoce este tipo de mensaje.',
  'File could not be used': 'No se pudo usar el archivo',
  'A file could not be used: its type, its size or its address.':
    'No se pudo usar un archivo: su tipo, su tamaño o su dirección.',
  ['Check that the link is public and that the file has a type and a size that the platform takes: of Opus, ' +
    'audio/ogg; codecs=opus, and for a voice message with one channel.']:
    'Comprueba que el enlace es público y que el archivo tiene un tipo y un tamaño que la plataforma acepta: de ' +
    'Opus, audio/ogg; codecs=opus, y para un mensaje de voz con un solo canal.',
  'Not for the marketing address': 'No vale para la dirección publicitaria',
  'This kind of message cannot be sent to the marketing address.':
    'Este tipo de mensaje no se puede enviar a la dirección publicitaria.',
  'Needs a phone number': 'Necesita un número de teléfono',
  'This message cannot be sent to a user id.': 'Este mensaje no se puede enviar a un id de usuario.',
  'Send it to the phone number.': 'Envíalo al número de teléfono.',
  'Values do not fit template': 'Los valores no encajan en la plantilla',
  'A value does not fit the template: its number, format or kind.':
    'Un valor no encaja en la plantilla: su cantidad, formato o tipo.',
  'Compare the values with the template on the templates page; it shows the exact keys.':
    'Compara los valores con la plantilla en la página de plantillas; muestra las claves exactas.',
  'Template missing or not approved': 'La plantilla falta o no está aprobada',
  'The template does not exist in this language, or is not approved.':
    'La plantilla no existe en este idioma, o no está aprobada.',
  'Look at the template on the templates page. The listing was read again.':
    'Mira la plantilla en la página de plantillas. La lista se leyó de nuevo.',
  'Filled text is too long': 'El texto rellenado es demasiado largo',
  'The text is too long once its values are filled in.': 'El texto es demasiado largo con los valores puestos.',
  'Send shorter values.': 'Envía valores más cortos.',
  'Content is against the rules': 'El contenido va contra las normas',
  'The content is against the rules of the platform.': 'El contenido va contra las normas de la plataforma.',
  'Change the content.': 'Cambia el contenido.',
  'Template is disabled': 'La plantilla está desactivada',
  'The template is disabled for good.': 'La plantilla está desactivada para siempre.',
  'Make a new template.': 'Crea una plantilla nueva.',
  'Flow is blocked': 'El flow está bloqueado',
  'The flow is blocked.': 'La plataforma ha bloqueado el flow.',
  "Look at the flow in the platform's own console.": 'Mira el flow en la consola de la plataforma.',
  'Values were not accepted': 'No se aceptaron los valores',
  'The platform has a problem with the values, and does not say which.':
    'La plataforma tiene un problema con los valores y no dice con cuál.',
  'Identity of recipient changed': 'Cambió la identidad del destinatario',
  "The recipient's identity key has changed.": 'La clave de identidad del destinatario ha cambiado.',
  'Check with the recipient, then send again.': 'Compruébalo con el destinatario y envía de nuevo.',
  'Line takes no calls': 'La línea no acepta llamadas',
  'The line does not take calls, so no message of it can have a button for one.':
    'La línea no acepta llamadas, así que ningún mensaje suyo puede tener un botón para llamar.',
  "Allow calls for the number in the platform's own console.":
    'Permite las llamadas al número en la consola de la plataforma.',
  'Too much marketing for recipient': 'Demasiada publicidad al destinatario',
  'The platform did not deliver it, to protect the recipient from too much marketing.':
    'La plataforma no lo entregó, para proteger al destinatario de demasiada publicidad.',
  'Wait at least 24 hours, and send less marketing to this person.':
    'Espera al menos 24 horas y envía menos publicidad a esta persona.',
  'Template is paused': 'La plantilla está en pausa',
  'The template is paused, because too many recipients gave a bad answer.':
    'La plantilla está en pausa porque demasiados destinatarios la valoraron mal.',
  'Change the template, or wait until the platform sends it again.':
    'Cambia la plantilla, o espera a que la plataforma vuelva a enviarla.',
  'Flow is throttled': 'El flow está limitado',
  'The flow is throttled to ten messages an hour.': 'El flow está limitado a diez mensajes por hora.',
  "Correct the flow's endpoint, then send again later.": 'Corrige el endpoint del flow y envía de nuevo más tarde.',
  'Template is not ready yet': 'La plantilla aún no está lista',
  'The template is not ready for marketing yet.': 'La plantilla aún no está lista para publicidad.',
  'Try again in some minutes.': 'Inténtalo de nuevo en unos minutos.',
  'Templates in wrong categories': 'Plantillas en categorías erróneas',
  'The account is limited, because it put templates into wrong categories.':
    'La cuenta está limitada porque puso plantillas en categorías erróneas.',
  'Direct Send is blocked': 'Direct Send está bloqueado',
  'The platform has blocked Direct Send for the account.': 'La plataforma ha bloqueado Direct Send para la cuenta.',
  "Send a template, or look at the account in the platform's own console.":
    'Envía una plantilla, o mira la cuenta en la consola de la plataforma.',
  'App may not do this': 'La aplicación no puede hacerlo',
  'The app may not use this function.': 'La aplicación no puede usar esta función.',
  'Token lacks a permission': 'Al token le falta un permiso',
  'The access token lacks a permission.': 'Al token de acceso le falta un permiso.',
  'Give the token the permissions for messages.': 'Da al token los permisos para mensajes.',
  'Line was deleted': 'La línea se eliminó',
  'The line was deleted in the platform.': 'La línea se eliminó en la plataforma.',
  'Remove the line here, or add it there again.': 'Quita la línea aquí, o añádela allí de nuevo.',
  'Account restricted or locked': 'Cuenta restringida o bloqueada',
  'The account is restricted or locked, because it broke a rule of the platform.':
    'La cuenta está restringida o bloqueada porque incumplió una norma de la plataforma.',
  "Open the account in the platform's own console: it names the rule, and how to appeal.":
    'Abre la cuenta en la consola de la plataforma: dice la norma y cómo apelar.',
  'Line or account not found': 'No se encuentra la línea o cuenta',
  'The platform does not find the line or the account.': 'La plataforma no encuentra la línea o la cuenta.',
  'Permission is missing': 'Falta un permiso',
  'A permission is missing.': 'Falta un permiso para esto.',
  'Name of line not approved': 'Nombre de la línea no aprobado',
  'The name of the line is not approved yet.': 'El nombre de la línea aún no está aprobado.',
  "Have the display name approved in the platform's own console.":
    'Haz aprobar el nombre visible en la consola de la plataforma.',
  'Account has a payment problem': 'La cuenta tiene un problema de pago',
  'The account has a problem with its payment.': 'La cuenta tiene un problema con su pago.',
  "Check the payment method in the platform's own console.":
    'Comprueba el método de pago en la consola de la plataforma.',
  'Number is not registered': 'El número no está registrado',
  'The number is not registered, or its PIN is wrong.': 'El número no está registrado, o su PIN es incorrecto.',
  'Register the number by a call to the platform: /docs/meta-setup#number-registration.':
    'Registra el número con una llamada a la plataforma: /docs/meta-setup#number-registration.',
  'Marketing is switched off': 'La publicidad está desactivada',
  'Marketing templates are switched off for the account.':
    'Las plantillas publicitarias están desactivadas para la cuenta.',
  ['Register the number by a call to the platform: /docs/meta-setup#number-registration. If it is the ' +
    "recipient's: Some countries write one mobile number in two ways, with and without one more digit: perhaps the " +
    'other one is known.']:
    'Registra el número con una llamada a la plataforma: /docs/meta-setup#number-registration. Si es el del ' +
    'destinatario: Algunos países escriben un número móvil de dos maneras, con y sin un dígito más: quizá se ' +
    'conozca la otra.',
  'Payment terms not accepted': 'Condiciones de pago no aceptadas',
  'The payment terms are not accepted yet.': 'Las condiciones de pago aún no están aceptadas.',
  "Accept them in the platform's own console.": 'Acéptalas en la consola de la plataforma.',
  'May not use marketing address': 'No puede usar la dirección publicitaria',
  'The account may not use the marketing address.': 'La cuenta no puede usar la dirección publicitaria.',
  'The request is malformed; details.issues names every problem. Nothing was accepted.':
    'La solicitud no es correcta; details.issues indica cada problema. No se aceptó nada.',
  'The workspace has several active lines and no default: say which one in phoneNumberId.':
    'El espacio de trabajo tiene varias líneas activas y ninguna predeterminada: indica cuál en phoneNumberId.',
  'phoneNumberId, or lineId, names no line of this workspace.':
    'phoneNumberId o lineId no nombra ninguna línea de este espacio de trabajo.',
  'The requested line is inactive.': 'La línea pedida está inactiva.',
  'The workspace has no active line.': 'El espacio de trabajo no tiene ninguna línea activa.',
  'The template exists, but the upstream platform has not approved it.':
    'La plantilla existe, pero la plataforma no la ha aprobado.',
  'The credentials are missing, invalid or revoked.': 'Las credenciales faltan, no valen o están revocadas.',
  'The monthly message limit is reached; details.resetsAt says when counting starts again.':
    'Se alcanzó el límite mensual de mensajes; details.resetsAt dice cuándo se cuenta de nuevo.',
  ['The API key may not do this: details.scope is the scope that it lacks, or details.phoneNumberIds are the only ' +
    'lines that it sends from.']:
    'La clave de API no puede hacerlo: details.scope es el permiso que le falta, o details.phoneNumberIds son las ' +
    'únicas líneas desde las que envía.',
  'No such route, template, contact, message or file; or the file is not stored.':
    'No existe esa ruta, plantilla, contacto, mensaje o archivo; o el archivo no está guardado.',
  'This idempotency key was used before with a different body.':
    'Esta clave de idempotencia ya se usó con otro contenido.',
  'The send asked for an open window, and the recipient has none: a template may be sent. Nothing was accepted.':
    'Se pidió una ventana abierta y el destinatario no la tiene: se puede enviar una plantilla. No se aceptó nada.',
  'The send has a category, and Direct Send is switched off for the line. Nothing was accepted.':
    'El envío tiene una categoría y Direct Send está desactivado para la línea. No se aceptó nada.',
  ['A marketing template to who wants no marketing messages, and the workspace or the key refuses those. Nothing ' +
    'was accepted.']:
    'Una plantilla publicitaria a quien no quiere publicidad, y el espacio de trabajo o la clave la rechaza. No se ' +
    'aceptó nada.',
  'The state of what should be changed does not allow it.': 'El estado de lo que se quiere cambiar no lo permite.',
  'The body is larger than 128 KiB, or a file than 100 MB or MEDIA_STORAGE_MAX.':
    'El cuerpo supera 128 KiB, o un archivo 100 MB o MEDIA_STORAGE_MAX.',
  'The body is not application/json.': 'El cuerpo no es application/json.',
  'The file ends before the range; details.size is its size.':
    'El archivo termina antes del rango; details.size es su tamaño.',
  'Too many requests; try again after Retry-After seconds.':
    'Demasiadas solicitudes; inténtalo de nuevo tras los segundos de Retry-After.',
  'The upstream platform refused it (400: the request is at fault; 502: the platform or its credentials are).':
    'La plataforma lo rechazó (400: la culpa es de la solicitud; 502: de la plataforma o sus credenciales).',
  'Unexpected error on our side; the log has its cause under the request id.':
    'Error inesperado por nuestra parte; el registro tiene la causa bajo el id de la solicitud.',
  'Not able to accept right now; nothing was accepted. Try again after Retry-After seconds.':
    'Ahora no se puede aceptar; no se aceptó nada. Inténtalo de nuevo tras los segundos de Retry-After.',
  'The password is right. Send it again with a code of the authenticator app, or a recovery code.':
    'La contraseña es correcta. Envíala de nuevo con un código de la aplicación de autenticación o de recuperación.',
}
