/** RFC 5321 4.5.3.1.3: a path has 256 characters, two of which are its brackets. */
const emailLengthMax = 254

/** The addresses that browsers accept (HTML, "valid e-mail address"): ASCII, so that lower case is unambiguous. */
const emailForm =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

export const isEmail = (text: string): boolean => text.length <= emailLengthMax && emailForm.test(text)

/** Two spellings of one address are the same after it. */
export const normalEmail = (text: string): string => text.trim().toLowerCase()
