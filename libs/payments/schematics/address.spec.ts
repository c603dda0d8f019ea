import typescript from 'typescript';
import { addressOf } from './address.js';

describe('where an application listens', () => {
  it.each([
    ['app.listen(3000)', '', '3000', ''],
    ['app.listen(process.env.PORT ?? 8080)', '', '8080', ''],
    ['app.listen(process.env.PORT ?? 8080)', 'A=1\nPORT=4000\n', '4000', ''],
    ['const port = config.get("APP_PORT") || 5000;\napp.listen(port, "0.0.0.0")', '', '5000', ''],
    ['const port = config.get("APP_PORT") || 5000;\napp.listen(port)', 'APP_PORT="6000"', '6000', ''],
    ['app.listen(port)', '', '3000', ''],
    ['app.setGlobalPrefix("api");\napp.listen(3000)', '', '3000', '/api'],
    ["const prefix = '/api/v1/';\napp.setGlobalPrefix(prefix, {});\napp.listen(80)", '', '80', '/api/v1'],
    ['app.setGlobalPrefix(config.prefix);\napp.listen(80)', '', '80', ''],
    ['start()', '', '3000', ''],
  ])('%j with %j is %s%s', (main, environment, port, prefix) => {
    expect(addressOf(typescript, main, environment)).toEqual({ port, prefix });
  });
});
