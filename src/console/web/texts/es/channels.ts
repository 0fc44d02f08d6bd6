import type { channels as english } from '../en/channels.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Channels and lines. */
export const channels = isolating<WordsOf<typeof english>>({
  title: 'Canales y líneas',
  description:
    'Un canal es una conexión con una cuenta de la plataforma de mensajería. ' +
    'Sus líneas son los números desde los que envías.',
  connect: 'Conectar una cuenta',
  lines: 'Líneas',
  accountNamed: accountId => `Cuenta ${accountId}`,
  manage: 'Gestionar',
  callbacks: 'Callbacks',
  connected: 'Conectada el',
  secretsChanged: 'Secretos fijados el',
  number: 'Número',
  state: 'Estado',
  pace: 'Ritmo',
  channel: 'Canal',
  phoneNumberId: 'Id de la línea',
  lately: 'Últimamente',
  qualities: { GREEN: 'Calidad: buena', YELLOW: 'Calidad: media', RED: 'Calidad: baja' },
  qualityUnknown: 'Calidad aún desconocida',
  newPeople: count => `${count} personas nuevas al día`,
  newPeopleUnlimited: 'personas nuevas sin límite',
  noChannels: 'No hay ninguna cuenta conectada',
  noChannelsHint: 'Conecta la cuenta de la plataforma de mensajería con la que se envían tus mensajes.',
  noChannelsViewer: 'Un administrador del espacio de trabajo puede conectar una.',
  noLines: 'No hay ninguna línea',
  noLinesHint: 'Una línea es un número de una cuenta conectada. Añade una y podrás enviar mensajes desde ella.',
  inactive: 'Inactiva',
  health: {
    works: 'Funciona',
    someFail: 'Algunos fallan',
    fails: 'Falla',
    quiet: 'Sin envíos recientes',
    failed: (failed, sent) => `Fallaron ${failed} de los últimos ${sent}:`,
    delivered: 'Última entrega:',
  },
  default: 'Predeterminada',
  directSend: 'Direct Send',
  unnamed: number => `Los mensajes que no indican línea salen de ${number}.`,
  unnamedNone: 'Los mensajes que no indican línea se rechazan: haz predeterminada una línea.',
  templates: 'Plantillas',
  clients: 'Programas existentes',
  perSecond: count => (count === 0 ? 'Sin límite de ritmo' : `${count} por segundo`),
  pair: seconds =>
    seconds === 0 ? 'destinatarios sin límite de ritmo' : `uno cada ${seconds} s a un mismo destinatario`,
  callbackStates: { none: 'Ninguno aún', accepted: 'Recibidos', refused: 'Rechazados' },
  callbackHints: {
    none: 'Aún no ha llegado ningún callback, así que los mensajes se quedan en «Enviado». Suscribe los callbacks.',
    unsigned: 'El último callback no tenía firma, así que no vino de la plataforma.',
    wrongSignature: 'El último callback no estaba firmado con este secreto de la app. Pon el correcto.',
    lastGood: 'Último aceptado',
    lastRefused: 'Último rechazado',
  },
  updates: 'Novedades de la plataforma',
})
