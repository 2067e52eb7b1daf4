const https = require("https");
const users = dataTable.open("users.csv");

users.next().then(([user]) => {
  https.get(`https://shop.example.com/products?user=${user.data.name}`, (response) => {
    response.resume();
    results().counter("products", 1);
  });
});
