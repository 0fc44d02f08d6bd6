import type { optOuts as english } from '../en/optOuts.ts'
import { isolating, type WordsOf } from '../isolated.ts'

export const optOuts = isolating<WordsOf<typeof english>>({
  title: 'Bajas',
  save: 'Guardar las bajas',
  hint: 'Con qué palabras la gente se da de baja de la publicidad, y qué pasa con la publicidad para ella.',
  onOptOut: 'Plantillas de publicidad para quien no la quiere',
  onOptOutHint: 'Vale la categoría que la plataforma les da ahora. Una clave de API puede tener su propia regla.',
  choices: { refuse: 'Se rechazan', send: 'Se envían' },
  asWorkspace: 'Como en el espacio de trabajo',
  stopWords: 'Palabras que dan de baja',
  stopWordsHint: 'Separadas por comas. Una cuenta si es el mensaje entero, en mayúsculas o no. Vacío: ninguna palabra.',
  startWords: 'Palabras que lo revocan',
  startWordsHint: 'Cuentan de la misma manera.',
  answer: 'Respuesta a quien se da de baja con una palabra',
  answerHint: 'Un mensaje normal, enviado una vez. Vacío: ninguna.',
  noAnswer: 'Ninguna',

  refusedHint:
    'Este espacio de trabajo rechaza la publicidad para quien no la quiere. Un administrador lo decide en los ajustes.',
  toSettings: 'Ajustes',

  sources: {
    platform: () => 'Lo dijo a la plataforma',
    word: word => `Escribió «${word}»`,
    member: by => `Por ${by}`,
    key: by => `Por la clave de API ${by}`,
    operator: () => 'Por un comando',
  },
  acts: {
    stop: {
      label: 'Detener la publicidad…',
      title: '¿Dar de baja a esta persona de la publicidad?',
      question: 'Para quien lo pidió de otra manera. Los demás mensajes le siguen llegando.',
      confirm: 'Detener la publicidad',
    },
    resume: {
      label: 'Permitir la publicidad…',
      title: '¿Volver a dar de alta a esta persona?',
      question: 'Solo si la persona lo pidió. Lo que dijo a la plataforma se queda, y la plataforma se rige por ello.',
      confirm: 'Permitir la publicidad',
    },
  },
})
