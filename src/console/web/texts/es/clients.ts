import type { clients as english } from '../en/clients.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { shell } from './shell.ts'

/** Clients that were written for the platform (docs/drop-in.md). Spanish calls them programs: clients are customers. */
export const clients = isolating<WordsOf<typeof english>>({
  title: shell.titles.clients,
  description:
    'Bandejas de entrada, bots y scripts escritos para la WhatsApp Cloud API hablan con este gateway ' +
    'en cuanto tienen su dirección y un token.',
  line: 'Línea',
  off: 'Se responde a los programas existentes cuando este gateway se inicia con GRAPH_API=on.',
  guide: 'Guía de programas existentes',

  addressTitle: 'Dirección e ID',
  addressHint: 'Estos ID los dio la plataforma.',
  address: 'Dirección',
  accountId: 'ID de la cuenta',
  phoneNumberId: 'ID del número',

  tokenTitle: 'Clave y token',
  tokenHint: 'El token pertenece a una clave y se muestra una vez: al crear la clave y al rotarla.',
  tokenNeeds: 'Los propietarios y administradores del espacio de trabajo ven la lista y crean claves.',
  noKeys: 'Ninguna clave con un token puede usar esta línea.',

  callbackTitle: 'Callbacks',
  callbackHint:
    'Añade un destino con la dirección y el token de verificación que muestra el programa. ' +
    'Donde pida un secreto de la app, dale el secreto del destino.',
  noEndpoints: 'Ningún destino de este tipo recibe callbacks de esta línea.',

  writeTitle: 'Qué escribir y dónde',
  writeHint: 'Escribe tu token donde dice wp_….',
  ownCode: 'Tu propio código',
  /** What is to know beside the code, by client. */
  hints: {
    Chatwoot:
      'Las versiones nuevas necesitan además un archivo, que está en la guía. ' +
      'Después añade la bandeja a mano, no con “embedded signup”: con ambos ID, y el token como clave de API. ' +
      'Muestra la dirección y el token de verificación de sus callbacks, o los añade por su cuenta.',
    Typebot: 'Su clave necesita también el scope webhooks: Typebot mira si su app recibe callbacks.',
    '@chat-adapter/whatsapp': 'El adaptador de Chat SDK. Su appSecret es el secreto del destino de sus callbacks.',
    ownCode:
      'La dirección va en lugar de https://graph.facebook.com, con una versión detrás o sin ella, ' +
      'y el token en lugar del de la plataforma.',
  },
})
