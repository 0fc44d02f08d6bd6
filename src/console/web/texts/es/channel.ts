import type * as english from '../en/channel.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Connecting an account. */
export const connect = isolating<WordsOf<typeof english.connect>>({
  title: 'Conectar una cuenta',
  description:
    'Necesitas el ID de la cuenta, un token de acceso y el secreto de la app. ' +
    'El token y el secreto se guardan cifrados y no se vuelven a mostrar.',
  guideTitle: 'Dónde encontrarlos',
  guideLink: 'Paso a paso, en la guía',
  // The names in quotes are those of the platform's pages.
  guide: [
    'Abre el panel de apps de Meta y elige tu app (de tipo “Business”).',
    'WhatsApp, “API Setup”: copia el “WhatsApp Business Account ID”.',
    '“Business settings”, “System users”: genera un token con whatsapp_business_messaging y ' +
      'whatsapp_business_management, sin vencimiento.',
    '“App settings”, “Basic”: copia “App secret” y “App ID”.',
  ],
  accountId: 'ID de la cuenta',
  accountIdHint: '“WhatsApp Business Account ID”: dígitos.',
  accessToken: 'Token de acceso',
  accessTokenHint: 'De un usuario del sistema. Un token temporal expira al cabo de un día.',
  appSecret: 'Secreto de la app',
  appSecretHint: 'Comprueba los callbacks, para que solo la plataforma pueda informar de una entrega.',
  appId: 'ID de la app',
  appIdHint: 'Opcional: hace falta para plantillas con un archivo en el encabezado.',
  addLines: 'Añadir como líneas los números de la cuenta',
  submit: 'Comprobar y conectar',
  againTitle: '¿Reemplazar sus secretos?',
  againQuestion: accountId =>
    `La cuenta ${accountId} ya está conectada. ` +
    'Su token de acceso y su secreto de la app se reemplazan por estos; sus líneas se conservan.',
  again: 'Reemplazarlos',
  checked: 'El token se prueba en la cuenta antes de guardar nada.',
  secretRule: 'Una sola palabra, sin espacios.',
  digitsRule: 'Solo dígitos.',
  requiredRule: 'Obligatorio.',
})

/** The page of one channel. */
export const channel = isolating<WordsOf<typeof english.channel>>({
  check: 'Comprobar',
  accessTitle: 'Acceso',
  accessHint: 'Los secretos se guardan cifrados. Se pueden reemplazar, pero nunca leer.',
  accountOk: 'El token de acceso funciona para la cuenta.',
  accountBad: 'El token de acceso no funciona: sus líneas no envían nada. Reemplaza el token de acceso.',
  platformSays: message => `Respuesta recibida: ${message}`,
  subscription: {
    here: 'La plataforma envía callbacks a este gateway.',
    nowhere: 'La plataforma no envía callbacks. Suscríbelos.',
    elsewhere: 'La plataforma envía callbacks a otra dirección:',
    unknown: 'La plataforma no dice adónde van los callbacks.',
  },
  noLine: number => `Aún no es una línea: ${number}`,
  add: 'Añadir',
  callbackTitle: 'Callbacks',
  callbackHint:
    'Los callbacks informan del estado de los mensajes y de lo que escriben los usuarios. ' +
    'Suscríbelos con un clic, o muestra el token y copia ambos valores en el panel de apps de Meta: ' +
    'WhatsApp, “Configuration”, “Webhook”.',
  callbackUrl: 'URL de callback',
  verifyToken: 'Token de verificación',
  showVerifyToken: 'Mostrar el token',
  noPublicUrl: 'El gateway no tiene dirección pública',
  noPublicUrlHint:
    'Por eso no se pueden suscribir los callbacks. ' +
    'Quien lo opera pone en PUBLIC_URL la dirección https:// en la que la plataforma lo alcanza, y lo reinicia.',
  subscribe: 'Suscribir callbacks',
  subscribed: url => `Los callbacks llegan a ${url}.`,
  cutOff: ids => `Los callbacks de la misma cuenta ya no llegan a ${ids}.`,
  setToken: 'Reemplazar el token de acceso',
  setAppSecret: 'Reemplazar el secreto de la app',
  setAppId: 'Fijar el ID de la app',
  replaceAppId: 'Reemplazar el ID de la app',
  replace: 'Reemplazar',
  disconnectTitle: 'Desconectar',
  disconnectHint: 'Elimina el canal definitivamente, con sus líneas, plantillas y secretos. Sus mensajes se conservan.',
  disconnect: 'Desconectar la cuenta',
  disconnectQuestion:
    'Sus líneas dejan de enviar al instante. Después, quita de la plataforma su dirección de callback.',
  opened: (count, isMore) =>
    'Personas a las que se escribió primero en las últimas 24 horas, hasta donde se sabe: ' +
    `${isMore ? 'al menos ' : ''}${count}. El límite cuenta las de todo el portafolio.`,
  addLine: 'Añadir una línea',
  lineNumber: 'Número',
  lineNumberHint: 'Con el código de país: +49 30 123456.',
  upstreamPhoneId: 'ID del número en la plataforma',
  upstreamPhoneIdHint: 'En el panel de apps de Meta: WhatsApp, “API Setup”, “Phone number ID”.',
})

/** What can be done with a line. */
export const line = isolating<WordsOf<typeof english.line>>({
  copyId: 'Copiar id de la línea',
  makeDefault: 'Hacer predeterminada',
  noDefault: 'Quitar como predeterminada',
  noDefaultNext: 'Los mensajes que no indican línea salen de la única activa; si hay varias, se rechazan.',
  activate: 'Activar',
  deactivate: 'Desactivar',
  deactivateQuestion: number => `${number} deja de enviar. Los mensajes ya aceptados se envían de todos modos.`,
  name: 'Cambiar el nombre',
  label: 'Nombre',
  labelHint: 'Se muestra junto al número donde se elige una línea: Berlín. Vacío: solo el número.',
  rate: 'Cambiar el ritmo',
  directSend: 'Permitir Direct Send',
  directSendNext:
    'Los envíos con categoría salen sin plantilla y sin la ventana de 24 horas, y se cobran como plantillas. ' +
    'La plataforma tiene que haberlo habilitado, y restringe las cuentas que abusan de él.',
  noDirectSend: 'Rechazar Direct Send',
  noDirectSendNext: 'Los envíos con categoría se rechazan a partir de ahora.',
  perSecond: 'Mensajes por segundo',
  perSecondHint: 'La plataforma permite 80 a una línea nueva. 0: sin límite de ritmo.',
  pairSeconds: 'Segundos entre mensajes a un mismo destinatario',
  pairSecondsHint: 'La plataforma permite uno cada 6 segundos. 0: sin límite de ritmo.',
  remove: 'Eliminar',
  removeTitle: number => `¿Eliminar ${number}?`,
  removeQuestion: 'Se elimina definitivamente. Sus mensajes se pueden seguir leyendo.',
})
