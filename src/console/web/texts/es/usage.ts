import type { usage as english } from '../en/usage.ts'
import { isolating, type WordsOf } from '../isolated.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('es')

/** What counts against the monthly limit. */
export const usage = isolating<WordsOf<typeof english>>({
  title: 'Uso',
  description: 'Lo que cuenta para el límite mensual, y con qué se envió. Los meses son en UTC.',
  notRefused: 'Los mensajes rechazados no cuentan.',
  refused: (count, shown) => plural(count, 'Uno rechazado no cuenta.', `${shown} rechazados no cuentan.`),
  daysHint: 'También los rechazados.',
  chooseMonth: 'Mes',
  sent: count => plural(count, 'mensaje', 'mensajes'),
  unit: 'mensajes',
  unlimited: count => plural(count, 'mensaje, sin límite', 'mensajes, sin límite'),
  scheduled: (count, shown) => plural(count, 'uno programado', `${shown} programados`),
  forecast: day => `Al ritmo de la última semana, el límite se alcanza el ${day}.`,
  resets: 'El recuento empieza de nuevo el',
  reached: 'Se alcanzó el límite: los envíos se rechazan hasta entonces.',
  months: 'Por mes',
  parts: {
    title: 'Por línea, plantilla y clave',
    by: 'Contados por',
    kinds: { line: 'Líneas', template: 'Plantillas', key: 'Claves de API' },
    one: { line: 'Línea', template: 'Plantilla', key: 'Clave de API' },
    none: { line: '', template: 'Texto y mensajes interactivos', key: 'Enviado en la consola' },
    unnamed: 'Clave sin nombre',
    share: 'Parte',
    ofAll: 'Del total',
    counted: 'Contado hasta el',
    next: 'Próximo recuento:',
    missing: (count, shown, all) =>
      plural(
        count,
        `Uno de ${all} mensajes aún no está contado.`,
        `${shown} de ${all} mensajes aún no están contados.`,
      ),
    hint:
      'Un mensaje se cuenta de 10 a 20 minutos después de aceptarse, ' +
      'también si desde entonces falló o se eliminó.',
    empty: 'Ningún mensaje en este mes',
  },
  prices: {
    title: 'Lo que cobra la plataforma',
    hint: 'De mensajes que se entregaron.',
    noRates: 'La plataforma no indica importes: con tus tarifas hay una estimación.',
    adminGives: 'Un administrador las da en los ajustes.',
    toRates: 'Tarifas en los ajustes',
    estimateHint: 'La estimación sigue las tarifas del',
    notTakenOff: 'Lo que la plataforma regala no se descuenta.',
    withoutRate: (count, shown) =>
      plural(count, 'Un mensaje cobrado no tiene tarifa.', `${shown} mensajes cobrados no tienen tarifa.`),
    partWithoutRate: count => `${count} sin tarifa`,
    cost: 'Costo',
    about: amount => `Unos ${amount}`,
    charged: count => `${count} cobrados`,
    notCharged: count => `${count} sin cobro`,
    unreported: (count, shown) =>
      plural(
        count,
        'De uno más la plataforma aún no ha dicho el precio.',
        `De ${shown} más la plataforma aún no ha dicho el precio.`,
      ),
    addRates: 'Añadir tarifas',
    by: 'Sumado por',
    groupings: { category: 'Categoría', country: 'País', both: 'Ambos' },
    category: 'Categoría',
    country: 'País del destinatario',
    billable: 'Cobrados',
    billableUnit: 'cobrados',
    free: 'Sin cobro',
    freeUnit: 'sin cobro',
    estimate: 'Estimación',
    unknownCountry: 'Desconocido',
    save: 'CSV por día',
    empty: 'La plataforma no ha indicado ningún precio en este mes',
    emptyHint: 'Lo hace al informar de una entrega.',
    categories: {
      marketing: 'Marketing',
      utility: 'Utilidad',
      authentication: 'Autenticación',
      authentication_international: 'Autenticación, internacional',
      service: 'Servicio',
      marketing_lite: 'Marketing, lite',
      referral_conversion: 'Tras un clic en un anuncio',
      group_marketing: 'Marketing en un grupo',
      group_utility: 'Utilidad en un grupo',
      group_service: 'Servicio en un grupo',
      general_purpose_ai: 'Asistente de IA',
      other: 'Otra',
    },
  },
  messages: 'Mensajes',
  days: 'Mensajes por día',
  empty: 'Aún no se ha enviado nada',
  emptyHint: 'Cada mensaje que acepta la plataforma cuenta una vez, en el mes en que el gateway lo aceptó.',
})
