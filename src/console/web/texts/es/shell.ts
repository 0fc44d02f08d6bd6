import type * as english from '../en/shell.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

/** The frame around all pages. */
export const shell = isolating<WordsOf<typeof english.shell>>({
  product: 'Waypost',
  skipToContent: 'Ir al contenido',
  navigation: 'Páginas del espacio de trabajo',
  /** Of pages whose words are loaded with them. */
  titles: {
    ...{ campaigns: 'Campañas', audit: 'Auditoría', clients: 'Programas existentes', gateway: 'Gateway' },
    ...{ templates: 'Plantillas', webhooks: 'Webhooks' },
  },
  /** So that a person finds them who looks for one by its name. */
  clientNames: 'Chatwoot, Typebot, Evolution API, Cloud API, token de Graph, callback, cliente',
  connectClient: 'Conecta Chatwoot, Typebot u otro programa existente',
  openNavigation: 'Abrir la navegación',
  closeNavigation: 'Cerrar la navegación',
  groups: { messages: 'Mensajería', connections: 'Conexiones', workspace: 'Espacio de trabajo' },
  workspace: 'Espacio de trabajo',
  newWorkspace: 'Nuevo espacio de trabajo',
  newWorkspaceHint:
    'Tiene sus propios miembros, canales, claves y mensajes. Tú eres su propietario, e invitas a otros. ' +
    'Los ajustes muestran cuántos puede crear un propietario.',
  workspaceName: 'Nombre',
  createWorkspace: 'Crear espacio de trabajo',
  noWorkspaces: 'No eres miembro de ningún espacio de trabajo.',
  noWorkspacesHint:
    'Pide a un propietario o administrador de un espacio de trabajo que te invite, y abre el enlace que recibas.',
  account: 'Cuenta',
  accountOf: user => `${user}: cuenta y colores`,
  signOut: 'Cerrar sesión',
  documentation: 'Referencia de la API',
  guides: 'Guías',
  colorScheme: 'Colores',
  colorSchemes: { light: 'Claro', dark: 'Oscuro', auto: 'Sistema' },
  keyboardHelp: 'Atajos de teclado',
  home: 'Ir al resumen',
  notFound: 'Esta página no existe.',
  notFoundHint: 'Revisa la dirección, o elige una página del menú.',
  notAllowed: 'Tu rol no puede abrir esta página.',
  notAllowedHint: needed => `Hace falta el rol ${needed}. Pídeselo a un propietario del espacio de trabajo.`,
  notLoaded: 'No se pudo cargar esta página.',
  notLoadedHint: 'Se perdió la conexión, o el gateway se actualizó. Recarga la página.',
  reload: 'Recargar',
  live: {
    live: 'En vivo',
    connecting: 'Conectando…',
    lost: 'Sin conexión',
    lostHint:
      'Puede que la página no esté al día. Se reconecta sola; ' +
      'un usuario puede tener como máximo diez páginas en vivo a la vez.',
    retry: 'Probar ahora',
  },
  titleOf: page => `${page} · Waypost`,
})

/** The search over the whole console, and its commands. */
export const palette = isolating<WordsOf<typeof english.palette>>({
  title: 'Búsqueda y comandos',
  button: 'Buscar',
  placeholder: 'Busca, o escribe un comando',
  results: 'Resultados',
  pages: 'Páginas',
  commands: 'Comandos',
  workspaces: 'Espacios de trabajo',
  messagesWith: text => `Buscar “${text}” en todos los mensajes`,
  contactsWith: text => `Buscar “${text}” en todos los contactos`,
  conversationsWith: text => `Buscar “${text}” en todas las conversaciones`,
  guidesWith: text => `Buscar “${text}” en las guías`,
  failedWith: code => `Mensajes que fallaron con ${code}`,
  meaningOf: code => `Qué significa el error ${code}`,
  sought: {
    '/messages': 'enviado fallido error',
    '/conversations': 'bandeja chat respuesta sin leer',
    '/conversations?new=open': 'enviar escribir',
    '/contacts': 'bloquear baja clientes',
    '/templates': 'enviar prueba',
    '/api-keys': 'revocar bloquear token',
    '/usage': 'costo precio factura dinero',
    '/members': 'revocar rol colegas',
  },
  openWorkspace: name => `Cambiar a ${name}`,
  dark: 'Cambiar a oscuro',
  light: 'Cambiar a claro',
  none: 'No se encontró nada.',
  failed: subjects => `No se pudo buscar en: ${subjects}.`,
  count: count => plural(count, 'Un resultado', `${count} resultados`),
})

/** The help on the keyboard. */
export const keyboard = isolating<WordsOf<typeof english.keyboard>>({
  title: 'Atajos de teclado',
  palette: 'Buscar en todo, o ejecutar un comando',
  search: 'Ir a la búsqueda de la página',
  down: 'Fila siguiente de una lista',
  up: 'Fila anterior de una lista',
  open: 'Abrir la fila',
  answer: 'Responder en una conversación',
  nextUnread: 'Siguiente conversación con algo sin leer',
  take: 'Tomar la conversación',
  finish: 'La conversación está terminada',
  markUnread: 'Marcar la conversación como no leída',
  begin: 'Escribir un mensaje nuevo',
  escape: 'Salir de la búsqueda, cerrar un diálogo',
  help: 'Mostrar esta ayuda',
})
