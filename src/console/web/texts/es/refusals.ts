import type { Said } from '../translator.ts'

/**
 * Why the gateway refuses something, by its English words. `{}` stands for what differs, `{1}` for the first of those.
 */
export const refusals: Said = {
  'No {} has this id.': 'No se encontró nada con este id ({1}).',
  'No API key has this id.': 'Ninguna clave de API tiene este id.',
  'No batch has this id.': 'Ninguna campaña tiene este id.',
  'No channel has this id.': 'Ningún canal tiene este id.',
  'No contact has this id.': 'Ningún contacto tiene este id.',
  'No delivery has this id.': 'Ninguna entrega tiene este id.',
  'No line has this id.': 'Ninguna línea tiene este id.',
  'No message has this id.': 'Ningún mensaje tiene este id.',
  'No request has this id.': 'Ninguna solicitud tiene este id.',
  'No template has this id.': 'Ninguna plantilla tiene este id.',
  'No webhook has this id.': 'Ningún webhook tiene este id.',
  'No workspace has this id.': 'Ningún espacio de trabajo tiene este id.',
  'is required': 'es obligatorio',
  'is not a known field': 'no es un campo conocido',
  'is not an international number: country code first, 7 to 15 digits in all':
    'no es un número internacional: primero el prefijo del país, de 7 a 15 cifras en total',
  'ends in .0, as a spreadsheet writes a number that is no text: leave out the .0':
    'acaba en .0, como una hoja de cálculo escribe un número: quite el .0',
  'has a trunk zero in parentheses, as in +49 (0)151…: leave out the (0)':
    'tiene un cero entre paréntesis, como +49 (0)151…: quita el (0)',
  'begins with 00, which only some countries dial before a country code: write + in its place':
    'empieza por 00, que solo algunos países marcan antes del prefijo: escribe + en su lugar',
  'begins with 0, as it is dialled inside its country: write it as it is dialled from abroad, + and country code first':
    'empieza por 0, como se marca dentro del país: escríbelo como desde el extranjero, primero + y el prefijo',
  'must not have more than {} elements': 'no debe tener más de {1} elementos',
  'must not have more than {} fields': 'no debe tener más de {1} campos',
  'Too many failed sign-ins. Try again after Retry-After seconds.':
    'Demasiados inicios de sesión fallidos. Inténtalo más tarde.',
  'The limit of {} changes in 15 minutes is reached. Try again after Retry-After seconds.':
    'Se alcanzó el límite de {1} cambios en 15 minutos. Inténtalo más tarde.',
  'is not your password': 'no es tu contraseña',
  'An authenticator app is set up. Remove it first.': 'Ya hay una aplicación de autenticación. Quítala primero.',
  'is not the current code of the app': 'no es el código actual de la aplicación',
  'The app is already confirmed, or the set-up of another one has begun.':
    'La aplicación ya está confirmada, o empezó la configuración de otra.',
  'The email address or the password is wrong.': 'El correo o la contraseña no es correcto.',
  'Send the password again with a code of your authenticator app, or a recovery code.':
    'Envía la contraseña con un código de tu aplicación de autenticación, o un código de recuperación.',
  'The code is wrong, or it was used before.': 'El código no es correcto, o ya se usó.',
  'The sign-in has ended. Sign in again.': 'La sesión ha terminado. Inicia sesión de nuevo.',
  'Somebody else has changed who has it. Look again.': 'Otra persona cambió quién la tiene. Mira de nuevo.',
  'is no member who may answer': 'no es un miembro que pueda responder',
  'The sandbox is connected. {}': 'El sandbox está conectado. {1}',
  'The sandbox is connected, but its callbacks are not set up: {}.':
    'El sandbox está conectado, pero sus notificaciones no están configuradas: {1}.',
  'The upstream platform of this gateway is not the sandbox: connect an account instead.':
    'La plataforma de esta pasarela no es el sandbox: conecta una cuenta.',
  'Use GET: there is no HEAD here.': 'Usa GET: aquí no hay HEAD.',
  'Sign in: send a valid access token as Authorization: Bearer.': 'Inicia sesión.',
  'No such workspace.': 'No existe ese espacio de trabajo.',
  'This needs the role {} in the workspace; yours is {}.':
    'Esto necesita el rol «{1}» en el espacio de trabajo; el tuyo es «{2}».',
  'This address answers only pages of this gateway.': 'Esta dirección solo responde a páginas de esta pasarela.',
  'Send the body as application/json.': 'Envía el cuerpo como application/json.',
  'The invitation is for {}, and you are signed in as {}.':
    'La invitación es para {1}, y has iniciado sesión como {2}.',
  '{} has an account. Sign in, then open the link again.':
    '{1} tiene una cuenta. Inicia sesión y abre el enlace de nuevo.',
  'This message is still waiting to be sent.': 'Este mensaje aún espera a ser enviado.',
  'The content of this message is no longer stored.': 'El contenido de este mensaje ya no está guardado.',
  'This link was used before, was replaced, or has expired.': 'Este enlace ya se usó, fue reemplazado o caducó.',
  'Too many files are being uploaded. Try again after Retry-After seconds.':
    'Se están subiendo demasiados archivos. Inténtalo en un momento.',
  'No picture or video is the example of this header.': 'El ejemplo de este encabezado no es una imagen ni un vídeo.',
  'The example cannot be fetched.': 'No se puede obtener el ejemplo.',
  'The body is larger than {} bytes.': 'El cuerpo tiene más de {1} bytes.',
  'did not arrive within {} seconds': 'no llegó en {1} segundos',
  'ended before it was whole': 'terminó antes de estar completo',
  'Unexpected error on our side. Give the X-Request-Id when you report it.':
    'Error inesperado por nuestra parte. Indica el id de la solicitud al avisar.',
  'The database cannot be used at the moment. Try again after Retry-After seconds.':
    'La base de datos no se puede usar ahora. Inténtalo en un momento.',
  'No such route.': 'No existe esa ruta.',
  'No file of a user has this id.': 'Ningún archivo tiene este id.',
  'The store of files cannot be read at the moment. Try again after Retry-After seconds.':
    'El almacén de archivos no se puede leer ahora. Inténtalo en un momento.',
  ['Nothing was removed: {} to be sent {} the {} {}. Stop new ones (deactivate the line), wait until these are ' +
    'sent or cancel those that are scheduled, and try again.']:
    'No se quitó nada: aún esperan mensajes ({1}). Detén los nuevos (desactiva la línea), espera a que se envíen o ' +
    'cancela los programados, e inténtalo de nuevo.',
  'must be a moment in the future': 'debe estar en el futuro',
  'The API key {} is revoked and has no successor.': 'La clave de API {1} está revocada y no tiene sucesora.',
  'The API key {} has expired and has no successor.': 'La clave de API {1} caducó y no tiene sucesora.',
  'must have an item': 'debe tener un elemento',
  'This idempotency key was used before with a different batch. Use a new key for a new batch.':
    'Esta clave de idempotencia ya se usó con otra campaña. Usa una nueva para una campaña nueva.',
  'The workspace has {} batches that have not ended: cancel some, or wait.':
    'El espacio de trabajo tiene {1} campañas sin terminar: cancela algunas, o espera.',
  'must be in the future; leave it out to start at once': 'debe estar en el futuro; sin hora empieza enseguida',
  'must be at most {} days ahead': 'debe ser como mucho dentro de {1} días',
  'the batch has {} items, and not these behind them: go on with offset {}':
    'la campaña tiene {1} elementos, y no estos detrás: sigue con offset {2}',
  'would be more than {} in all': 'serían más de {1} en total',
  'Only a draft takes further items; this batch is {}.':
    'Solo un borrador admite más elementos; esta campaña está: {1}.',
  'The batch has no item yet.': 'La campaña aún no tiene elementos.',
  'Only a batch that was started can be retried; this one is {}.':
    'Solo se puede repetir una campaña iniciada; esta está: {1}.',
  '{} items wait, and the plan has {} messages left this month.':
    'Esperan {1} elementos, y al plan le quedan {2} mensajes este mes.',
  '{} items wait, and the platform lets all numbers of the portfolio write first to {} new people a day.':
    'Esperan {1} elementos, y la plataforma deja a todos los números del portafolio escribir primero a {2} ' +
    'personas nuevas al día.',
  'The contact was forgotten: nobody knows whom to block.': 'El contacto fue olvidado: nadie sabe a quién bloquear.',
  'No line is active, so nobody can be blocked on one.':
    'Ninguna línea está activa, así que no se puede bloquear a nadie.',
  'The person was not {} {}.{}': 'No se pudo hacer: {2}.{3}',
  'Nothing was changed: {}': 'No se cambió nada: {1}',
  'Nothing was changed: the account {} is connected already.': 'No se cambió nada: la cuenta {1} ya está conectada.',
  ['Nothing was changed: the account {} is already connected in the workspace {}, and its callbacks go to only ' +
    'one of them. Is this the right account?']:
    'No se cambió nada: la cuenta {1} ya está conectada en el espacio de trabajo {2}, y sus notificaciones van ' +
    'solo a uno. ¿Es la cuenta correcta?',
  'is the id of the {}, not that of a phone number': 'es el id de otra cosa ({1}), no el de un número de teléfono',
  'The channel has a line with the upstream phone id {} already.':
    'El canal ya tiene una línea con el id de teléfono {1}.',
  'The line is inactive, so it cannot be the default until it is activated.':
    'La línea está inactiva; no puede ser la predeterminada hasta que se active.',
  'Callbacks are not set up: {}. {}': 'Las notificaciones no están configuradas: {1}. {2}',
  'The contact was forgotten: it gets no name.': 'El contacto fue olvidado: no recibe nombre.',
  'one of the lines is none of this workspace': 'una de las líneas no es de este espacio de trabajo',
  'Only an owner can make, change or remove an owner.':
    'Solo un propietario puede nombrar, cambiar o quitar a un propietario.',
  'The operator of this gateway has invited this address. That invitation counts until it is used or expires.':
    'El operador de esta pasarela invitó a esta dirección. Esa invitación vale hasta que se use o caduque.',
  'The user {} is already a member of the workspace {}{}.': '{1} ya es miembro de este espacio de trabajo.',
  'Too many invitations are open. Withdraw some first.':
    'Hay demasiadas invitaciones abiertas. Retira algunas primero.',
  'No user with the email {}.': 'Ningún usuario tiene el correo {1}.',
  'No such invitation.': 'No existe esa invitación.',
  'No such member.': 'No existe ese miembro.',
  'A workspace keeps at least one owner. Make somebody else an owner first.':
    'Un espacio de trabajo conserva al menos un propietario. Nombra antes a otra persona.',
  'No authenticator app is set up.': 'No hay ninguna aplicación de autenticación.',
  'Only a message of unknown outcome can be settled; this one is {}.':
    'Solo se puede resolver un mensaje de resultado desconocido; este está: {1}.',
  'Only a message that waits for its time can be moved or cancelled; this one is {}.':
    'Solo se puede mover o cancelar un mensaje que espera su hora; este está: {1}.',
  'each {}': 'cada uno: {1}',
  '“{}” is a word that opts out too': '«{1}» también es una palabra de baja',
  'must have words, or be null': 'debe tener palabras, o estar vacío',
  'The contact was forgotten: nobody knows who is meant.': 'El contacto fue olvidado: nadie sabe quién es.',
  'Too many sign-ins at once. Try again after Retry-After seconds.':
    'Demasiados inicios de sesión a la vez. Inténtalo en un momento.',
  'names no time zone, as Europe/Berlin does': 'no nombra una zona horaria como Europe/Berlin',
  'must leave a day: nothing would ever be sent': 'debe dejar un día: nunca se enviaría nada',
  '{}: the upstream platform asks for it; here it is not needed': '{1}: la plataforma lo pide; aquí no hace falta',
  '{}: the upstream platform calls it so; here it is {}': '{1}: la plataforma lo llama así; aquí es {2}',
  'does not belong to the type {}': 'no pertenece al tipo {1}',
  'is required, unless {} is given': 'es obligatorio si falta {1}',
  'must not be given together with {}: one message, one recipient':
    'no debe darse junto con {1}: un mensaje, un destinatario',
  'is required, unless one of {} is given; {} when the template has no variables':
    'es obligatorio si no se da ninguno de {1}; {2} si la plantilla no tiene variables',
  'must not be white space alone': 'no debe tener solo espacios',
  'must be {}: the file begins with something else': 'debe ser {1}: el archivo empieza con otra cosa',
  'The templates of {} could not be read: {}': 'No se pudieron leer las plantillas de {1}: {2}',
  'is not set for the channel': 'no está definido para el canal',
  'An example is uploaded with the app id of the channel, and it has none. Set it: channel set-app-id.':
    'Un ejemplo se sube con el id de aplicación del canal, y no tiene ninguno. Ponlo: channel set-app-id.',
  'The answer of the upstream platform was lost: it may have been {}. Read the list again before you repeat it.':
    'Se perdió la respuesta de la plataforma: quizá se hizo. Lee la lista de nuevo antes de repetirlo.',
  'The upstream platform could not be reached: nothing was {}. Try again shortly.':
    'No se pudo llegar a la plataforma: no se hizo nada. Inténtalo en un momento.',
  'The secret of the webhook is lost: nothing can be signed until it is rotated.':
    'El secreto del webhook se perdió: no se puede firmar nada hasta renovarlo.',
  'The workspace has {} endpoints already, which is as many as it may have. Remove one first.':
    'El espacio de trabajo ya tiene {1} endpoints, los que puede tener. Quita uno primero.',
  'Its secrets were changed at the same moment. Try again.':
    'Sus secretos se cambiaron en el mismo momento. Inténtalo de nuevo.',
  'must have one of eventId, failedSince and since': 'debe tener eventId, failedSince o since',
  'A replay of this workspace is under way. Try again when it has ended.':
    'Hay una repetición en curso en este espacio de trabajo. Inténtalo cuando termine.',
  'This event is not kept any more, or has nothing to tell in the format of the endpoint.':
    'Este evento ya no se guarda, o no tiene nada que decir en el formato del endpoint.',
  'there is no event of this workspace with this id': 'no hay ningún evento de este espacio de trabajo con este id',
  'Only an owner of a workspace without a limit of the operator can make another one. Ask your operator.':
    'Solo un propietario de un espacio de trabajo sin límite del operador puede crear otro. Pregunta a tu operador.',
  'An owner may have {} {} here, and you have as many. Ask your operator for another one.':
    'Un propietario puede tener aquí {1} espacios de trabajo, y tú ya los tienes. Pide otro a tu operador.',
  'The operator allows {} messages a month at most.': 'El operador permite como mucho {1} mensajes al mes.',
  'names an authentication template, which the upstream platform sends to phone numbers alone':
    'nombra una plantilla de autenticación, que la plataforma solo envía a números de teléfono',
  'The template does not exist in templateLanguage; it exists in {}.':
    'La plantilla no existe en este idioma; existe en {1}.',
  'The template is not approved: its status is {}{}, since {}.':
    'La plantilla no está aprobada: su estado es {1}{2}, desde {3}.',
  "must name one of the template's languages: {}": 'debe nombrar uno de los idiomas de la plantilla: {1}',
  'authentication is for a phone number: the upstream platform sends no code to a user id':
    'la autenticación es para un número de teléfono: la plataforma no envía códigos a un id de usuario',
  'needs a category': 'necesita una categoría',
  'Direct Send is switched off for the line: leave out category, or ask who runs the gateway to switch it on.':
    'Direct Send está desactivado para la línea: quita la categoría, o pide al operador que lo active.',
  'must be {}: approved is this spelling alone': 'debe ser {1}: solo esta forma está aprobada',
  '{} has several active lines and no default line: say in phoneNumberId which one to use.':
    'Hay varias líneas activas y ninguna predeterminada: elige una.',
  'The API key may not send from the line that phoneNumberId names: it is limited to other lines.':
    'La clave de API no puede enviar desde esta línea: está limitada a otras.',
  '{} names no file of this workspace.': '{1} no nombra ningún archivo de este espacio de trabajo.',
  'names a file that is not stored: {}': 'nombra un archivo que no está guardado: {1}',
  'the file {}': 'el archivo {1}',
  'The upstream platform did not take the file: {}': 'La plataforma no aceptó el archivo: {1}',
  'The upstream platform refused the message: {}': 'La plataforma rechazó el mensaje: {1}',
  'The message was not sent: {}': 'El mensaje no se envió: {1}',
  ['The recipient wants no marketing messages, and this workspace or key does not send them then (onOptOut). ' +
    'Other messages reach it.']:
    'El destinatario no quiere publicidad, y este espacio de trabajo no la envía entonces. Otros mensajes sí llegan.',
  '{} names no message of this workspace.': '{1} no nombra ningún mensaje de este espacio de trabajo.',
  'names a message without an id of the upstream platform: it has none yet, or was erased':
    'nombra un mensaje sin id de la plataforma: aún no lo tiene, o se borró',
  '{} Nothing was accepted; try again shortly.':
    'Ahora hay demasiado en curso. No se aceptó nada; inténtalo en un momento.',
  'This idempotency key was used before with a different body. Use a new key for a new message.':
    'Esta clave de idempotencia ya se usó con otro mensaje. Un mensaje nuevo necesita otra.',
  'The line was removed while the message was sent.': 'La línea se quitó mientras se enviaba el mensaje.',
  'The monthly message limit of this workspace is reached.':
    'Se alcanzó el límite mensual de mensajes de este espacio de trabajo.',
  "The recipient's 24-hour window on the line is not open: send a template, or wait until the recipient writes.":
    'La ventana de 24 horas del destinatario no está abierta en esta línea: envía una plantilla, o espera a que ' +
    'escriba.',
  'It cannot be read any more.': 'Ya no se puede leer.',
  'contactId names no contact of this workspace.': 'Ese contacto no existe en este espacio de trabajo.',
  'must be 1 minute to 35 days ahead: from {} to {}; it is now {}':
    'debe ser de 1 minuto a 35 días más tarde: de {1} a {2}; ahora es {3}',
  'The request is malformed. {}: {}': 'La solicitud no es correcta. {1}: {2}',
  '{} (and {} more)': '{1} (y {2} más)',
  '{}; this one is {}.': '{1}; esta está: {2}.',
  'The file has {} bytes, and none of them are in this range.':
    'El archivo tiene {1} bytes, y ninguno está en este rango.',
  'Only a draft or a scheduled batch can be started': 'Solo se puede iniciar una campaña en borrador o programada',
  'Only a running batch can be paused': 'Solo se puede pausar una campaña en marcha',
  'Only a paused batch can be resumed': 'Solo se puede reanudar una campaña en pausa',
  'A batch that is done cannot be cancelled': 'Una campaña terminada no se puede cancelar',
  'says that it starts now: leave out sendAt, or this': 'dice que empieza ahora: omita sendAt, o esto',
  'Only a draft or a scheduled batch gets another time; this batch is {}.':
    'Solo un borrador o una campaña programada recibe otra hora; esta campaña está: {1}.',
  'The batch has no item with this number.': 'La campaña no tiene ninguna entrada con este número.',
  'Only what still waits can be left out; this item is becoming a message, is one, or never will be.':
    'Solo se puede dejar fuera lo que aún espera; este elemento se está enviando, ya es un mensaje, o nunca lo será.',
  'on {}, because {}': 'en {1}, porque {2}',
  'only who has written to the line within 24 hours can be blocked':
    'solo se puede bloquear a quien escribió a la línea en las últimas 24 horas',
  'its list of {} blocked people is full: unblock somebody else first':
    'su lista de {1} personas bloqueadas está llena: desbloquea antes a otra',
  'the platform said: {}': 'la plataforma dijo: {1}',
  'The upstream platform could not be reached': 'No se pudo llegar a la plataforma',
  'The upstream platform gave no answer': 'La plataforma no respondió',
  'It waited to be sent for longer than its ttlSeconds': 'Esperó a ser enviado más de lo que permite ttlSeconds',
  'Its time passed more than {} minutes before the gateway was there to send it.':
    'Su hora pasó más de {1} minutos antes de que la pasarela pudiera enviarlo.',
  'must be in the future; leave it out to send it with the batch':
    'debe estar en el futuro; sin hora se envía con la campaña',
}
