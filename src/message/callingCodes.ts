/*
 * The country of a number by its calling code (ITU-T E.164), as the platform's price lists go by. From the metadata of
 * Google's libphonenumber 9.0. Where countries share a code beyond what its first digits tell, it is the largest: so
 * `+44` is GB, and Guernsey, Jersey and Man with it.
 */

/** Each code with its country (ISO 3166-1). Behind `1` and `7` the next digits tell more. */
const codes = `
  1US 1242BS 1246BB 1264AI 1268AG 1284VG 1340VI 1345KY 1441BM 1473GD 1649TC 1658JM 1664MS 1670MP 1671GU 1684AS 1721SX
  1758LC 1767DM 1784VC 1787PR 1809DO 1829DO 1849DO 1868TT 1869KN 1876JM 1939PR 20EG 211SS 212MA 213DZ 216TN 218LY
  220GM 221SN 222MR 223ML 224GN 225CI 226BF 227NE 228TG 229BJ 230MU 231LR 232SL 233GH 234NG 235TD 236CF 237CM 238CV
  239ST 240GQ 241GA 242CG 243CD 244AO 245GW 246IO 247AC 248SC 249SD 250RW 251ET 252SO 253DJ 254KE 255TZ 256UG 257BI
  258MZ 260ZM 261MG 262RE 263ZW 264NA 265MW 266LS 267BW 268SZ 269KM 27ZA 290SH 291ER 297AW 298FO 299GL 30GR 31NL 32BE
  33FR 34ES 350GI 351PT 352LU 353IE 354IS 355AL 356MT 357CY 358FI 359BG 36HU 370LT 371LV 372EE 373MD 374AM 375BY 376AD
  377MC 378SM 380UA 381RS 382ME 383XK 385HR 386SI 387BA 389MK 39IT 40RO 41CH 420CZ 421SK 423LI 43AT 44GB 45DK 46SE
  47NO 48PL 49DE 500FK 501BZ 502GT 503SV 504HN 505NI 506CR 507PA 508PM 509HT 51PE 52MX 53CU 54AR 55BR 56CL 57CO 58VE
  590GP 591BO 592GY 593EC 594GF 595PY 596MQ 597SR 598UY 599CW 60MY 61AU 62ID 63PH 64NZ 65SG 66TH 670TL 672NF 673BN
  674NR 675PG 676TO 677SB 678VU 679FJ 680PW 681WF 682CK 683NU 685WS 686KI 687NC 688TV 689PF 690TK 691FM 692MH 7RU 76KZ
  77KZ 81JP 82KR 84VN 850KP 852HK 853MO 855KH 856LA 86CN 880BD 886TW 90TR 91IN 92PK 93AF 94LK 95MM 960MV 961LB 962JO
  963SY 964IQ 965KW 966SA 967YE 968OM 970PS 971AE 972IL 973BH 974QA 975BT 976MN 977NP 98IR 992TJ 993TM 994AZ 995GE
  996KG 998UZ`

/** Area codes of Canada, behind `1`. */
const canada = `
  204 226 236 249 250 257 263 273 289 306 343 354 365 367 368 382 403 416 418 428 431 437 438 450 468 474 506 514 519
  548 579 581 584 587 600 604 613 622 633 639 647 672 683 705 709 742 753 778 780 782 807 819 825 867 873 879 902 905
  942`

const countries = new Map([
  ...codes
    .trim()
    .split(/\s+/)
    .map(entry => [entry.slice(0, -2), entry.slice(-2)] as const),
  ...canada
    .trim()
    .split(/\s+/)
    .map(area => [`1${area}`, 'CA'] as const),
])
const codeDigitsMax = 4

/** @returns the country of a number (`+` and digits); null for anything else, and for a code that no country has */
export function countryOf(recipient: string): string | null {
  if (!recipient.startsWith('+')) return null
  for (let digits = codeDigitsMax; digits > 0; digits -= 1) {
    const country = countries.get(recipient.slice(1, 1 + digits))
    if (country) return country
  }
  return null
}
