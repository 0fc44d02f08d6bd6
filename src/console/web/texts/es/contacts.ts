import type { contacts as english } from '../en/contacts.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** The people who get messages. */
export const contacts = isolating<WordsOf<typeof english>>({
  title: 'Contactos',
  add: 'Nuevo contacto',
  addConfirm: 'Añadir',
  search: 'Nombre, @usuario, número o ID…',
  searchLabel: 'Buscar contactos',
  columns: {
    name: 'Nombre',
    phone: 'Número de teléfono',
    window: 'Plazo de respuesta',
    heard: 'Escribió por última vez',
    created: 'Conocido desde',
  },
  order: 'Orden',
  orders: { '': 'Más nuevos', heard: 'Último en escribir' },
  onlyTemplates: 'Solo plantillas',
  unnamed: 'Sin nombre',
  forgottenName: 'Contacto olvidado',
  noMarketing: 'No quiere publicidad',
  only: { unread: 'Sin leer', open: 'Se puede responder', noMarketing: 'Sin publicidad' },
  blocked: 'Bloqueado',
  blockedOn: 'Bloqueado en',
  rename: 'Editar el nombre',
  renameHint: 'Hasta que la persona escriba y muestre otro nombre.',
  openConversation: 'Abrir en Conversaciones',
  block: 'Bloquear…',
  blockTitle: name => `¿Bloquear a ${name}?`,
  blockHint:
    'Lo que la persona escriba ya no llega, y no se le puede enviar nada. Vale en la línea de la conversación y en ' +
    'cada otra a la que escribió en las últimas 24 horas. Puedes desbloquearla en cualquier momento.',
  blockConfirm: 'Bloquear',
  unblock: 'Desbloquear…',
  unblockTitle: name => `¿Desbloquear a ${name}?`,
  unblockHint: 'La persona puede volver a escribir a todas tus líneas, y tú puedes responder.',
  unblockConfirm: 'Desbloquear',
  emptyTitle: 'Aún no hay contactos',
  emptyHint:
    'Un contacto se crea cuando alguien escribe a una de tus líneas. ' +
    'Los mensajes a números de teléfono no necesitan ninguno.',
  noneTitle: 'Ningún contacto coincide',
  noneHint: 'Busca el número completo, o una parte del nombre o del nombre de usuario; o muéstralos todos.',

  one: 'Contacto',
  facts: 'Detalles',
  id: 'ID del contacto',
  phone: 'Número de teléfono',
  phoneHint: 'Con el código de país, como en +4930123456',
  optional: 'opcional',
  username: 'Nombre de usuario',
  userId: 'ID de usuario en la plataforma',
  created: 'Conocido desde',
  allMessages: 'Todos los mensajes a este número',
  optOut: 'Preferencias',
  optOutNone: 'Recibe publicidad: la persona no se ha opuesto.',
  preferenceStop: category => `No quiere ${category}`,
  preferenceResume: category => `Vuelve a querer ${category}`,
  categories: { marketing_messages: 'publicidad' },
  history: 'Conversación',
  flows: 'Flujos',
  flowOpen: 'Abierto',
  flowClosed: { reply: 'Respondido', revalidated: 'Cerrado por un envío posterior', refused: 'Rechazado' },
  flowMessage: 'Abierto por un mensaje',
  end: 'Bloquear u olvidar',
  blockSays: 'No recibes nada de esta persona ni puedes enviarle nada hasta que la desbloquees.',
  blockTooLate:
    'Solo se puede bloquear a quien te haya escrito en las últimas 24 horas: la plataforma no acepta a nadie más.',
  forgetSays: 'Borra para siempre el número, el nombre y los mensajes. Las estadísticas quedan.',
  forget: 'Olvidar…',
  forgetTitle: '¿Olvidar este contacto?',
  forgetHint:
    'El número y el nombre se borran al instante, y después el contenido de todos los mensajes, definitivamente. ' +
    'Un historial largo tarda unos minutos. Los recuentos y estados se conservan. ' +
    'Si la persona vuelve a escribir, se crea un contacto nuevo.',
  forgetWord: 'olvidar',
  forgetConfirm: 'Borrar',
})
