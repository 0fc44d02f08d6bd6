import type { settings as english } from '../en/settings.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** Settings of the workspace and of the gateway. */
export const settings = isolating<WordsOf<typeof english>>({
  title: 'Ajustes',
  save: 'Guardar el espacio',
  workspace: 'Espacio de trabajo',
  name: 'Nombre',
  id: 'ID del espacio de trabajo',
  created: 'Creado',
  limit: 'Mensajes al mes',
  unlimited: 'Sin límite',
  limitHint: 'Un mes natural en UTC. Vacío: sin límite.',
  ceilingHint: ceiling =>
    `Un mes natural en UTC. El operador del gateway permite ${ceiling} como máximo; uno menor lo fijas tú.`,
  belowCeiling: (limit, ceiling) => `${limit} (el operador permite ${ceiling})`,
  limitOwner: 'El límite mensual lo cambia un propietario del espacio de trabajo.',
  defaultLine: 'Línea predeterminada',
  defaultLineHint:
    'Para mensajes que no indican línea. Sin ella, salen por la única activa; si hay varias activas, se rechazan.',
  noDefaultLine: 'Ninguna',
  deleted: 'Mensajes que la gente elimina',
  deletedHint: 'Para todos, y también para las claves de API; también lo ya eliminado.',
  deletedChoices: { keep: 'Quedan como eliminados', hide: 'Pierden su contenido' },
  gateway: 'Gateway',
  gatewayHint:
    'El operador los fija para todos los espacios de trabajo, en el entorno del gateway; ' +
    'los cambios requieren reiniciarlo.',
  setting: 'Ajuste',
  value: 'Valor',
  purpose: 'Para qué sirve',
  source: 'Origen',
  environment: 'Entorno',
  fallback: 'Por defecto',
  all: count => `Mostrar los ${count} ajustes`,
  fewer: 'Solo los fijados',
  isSandbox: 'Este gateway envía al sandbox: ningún mensaje llega a un teléfono.',
  isLive: 'Este gateway envía a la plataforma de mensajería: los mensajes llegan a teléfonos, y cuestan dinero.',
  sandboxHint: 'Para pruebas, ejecuta un segundo gateway contra el sandbox:',
  sandboxCommand: 'comandos que inician el sandbox y un gateway sobre él',
})
