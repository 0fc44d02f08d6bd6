import type { preferences as english } from '../en/preferences.ts'
import { isolating, type WordsOf } from '../isolated.ts'

/** What a user prefers of the console. */
export const preferences = isolating<WordsOf<typeof english>>({
  title: 'Preferencias',
  hint: 'Valen en todos los dispositivos en los que inicias sesión, y se guardan al instante.',
  language: 'Idioma',
  languageHint: 'La página se vuelve a cargar en él. Los mensajes quedan como se escribieron.',
  languageOfBrowser: 'El del navegador',
  enterSends: 'La tecla Enter en una conversación',
  enterSendsHint: 'Si Enter envía, Shift+Enter empieza una línea nueva. Ctrl+Enter, en un Mac ⌘+Enter, siempre envía.',
  enterChoices: {
    auto: 'Envía, salvo en el teléfono',
    sends: 'Envía',
    breaks: 'Empieza una línea',
  },
  notifications: 'Avisarme de mensajes nuevos en conversaciones',
  notificationsHint:
    'Con notificaciones del navegador, mientras una pestaña de la consola está abierta y miras otra cosa.',
  notificationChoices: { off: 'No', mine: 'En las mías', all: 'En todas' },
  sound: 'Con sonido',
  notificationText: 'Mostrar lo que se escribió',
  notificationTextHint: 'Si no, muestran solo el nombre. Otras personas pueden ver tu pantalla.',
  unavailable: 'Este navegador muestra notificaciones solo si la consola tiene una dirección https://.',
  ask: 'Aún no se ha pedido permiso a este navegador.',
  allow: 'Permitir en este navegador',
  denied: 'Este navegador rechaza las notificaciones',
  deniedHint:
    'No vuelve a preguntar. Permítelas para esta dirección en los ajustes del navegador, y recarga la página.',
})
