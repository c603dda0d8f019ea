/** The forms of what a receipt says of people and companies. */
export const PHONE = /^\d{4,15}$/;
export const INN = /^(\d{10}|\d{12})$/;
