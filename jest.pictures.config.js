import longTests from './jest.deep.config.js';

// `npm run pictures`: the test that looks whether the pictures can be taken, with the documents' folder for its own.
process.env.PICTURES = 'take';

export default { ...longTests, testMatch: ['**/browser/pictures.spec.ts'] };
