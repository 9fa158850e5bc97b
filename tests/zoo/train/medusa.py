"""Medusa: an online shop's administration; one page of React with drawers and full-screen forms."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx

from tests.zoo.console import Console, Guide, Place, Service
from tests.zoo.databases import (
    PACKAGES,
    USER,
    content_in,
    make_database,
    postgres,
    postgres_env,
    wait_for_postgres,
)

USERNAME, PASSWORD = "admin@example.com", "zoo-secret-1"
CONFIG = """
const { defineConfig } = require("@medusajs/framework/utils")
const http = { storeCors: "", adminCors: "", authCors: "", jwtSecret: "zoo", cookieSecret: "zoo" }
const databaseDriverOptions = { connection: { ssl: false } }
const projectConfig = { databaseUrl: process.env.DATABASE_URL, databaseDriverOptions, http }
module.exports = defineConfig({ projectConfig })
"""
# Ports change; it would have the address built in.
BUILD = """
const { build } = require("@medusajs/admin-bundler")
const vite = () => ({ define: { __BACKEND_URL__: "location.origin" } })
build({ path: "/app", sources: [], outDir: `${process.cwd()}/public/admin`, vite })
"""
# Its own command listens on every address, and has nothing at the root.
SERVE = """
const app = require("express")()
app.get("/", (_, answer) => answer.redirect("/app"))
const load = require("@medusajs/medusa/loaders/index").default
const listen = () => require("http").createServer(app).listen(process.env.PORT, "127.0.0.1")
load({ directory: process.cwd(), expressApp: app }).then(listen)
"""
FILES = {
    "package.json": json.dumps({"name": "shop", "private": True}),
    "medusa-config.js": CONFIG,
    "build.js": BUILD,
    "serve.js": SERVE,
    ".config/medusa/config.json": json.dumps({"telemetry": {"enabled": False}}),
}
CUSTOMERS = {"asha": "Patel", "ben": "Okoro", "mina": "Berg"}
QUERIES = {
    "customer": "select email, concat_ws(' ', first_name, last_name, phone, company_name)"
    " from customer where deleted_at is null",
    "customer group": "select name, '' from customer_group where deleted_at is null",
    "member": "select c.email || ' in ' || g.name, '' from customer_group_customer m"
    " join customer c on c.id = m.customer_id join customer_group g on g.id = m.customer_group_id"
    " where g.deleted_at is null and c.deleted_at is null",
    "product": "select title, concat_ws(' ', p.id, status, subtitle, p.handle, description,"
    " discountable, weight, width, height, length, material, p.metadata, thumbnail,"
    " collection_id, type_id) from product p where deleted_at is null",
    "option": "select p.title || ' ' || o.title, '' from product_option o"
    " join product p on p.id = o.product_id where o.deleted_at is null and p.deleted_at is null",
    "variant": "select p.title || ' ' || v.title, concat_ws(' ', sku, v.material, barcode,"
    " manage_inventory, allow_backorder, v.weight) from product_variant v join product p"
    " on p.id = v.product_id where v.deleted_at is null and p.deleted_at is null",
    "category": "select name, concat_ws(' ', handle, description, is_active, is_internal, rank,"
    " parent_category_id) from product_category where deleted_at is null",
    "product in category": "select p.title || ' in ' || c.name, '' from product_category_product m"
    " join product p on p.id = m.product_id join product_category c"
    " on c.id = m.product_category_id where p.deleted_at is null and c.deleted_at is null",
    "collection": "select title, handle from product_collection where deleted_at is null",
    "product in collection": "select p.title || ' in ' || c.title, '' from product p"
    " join product_collection c on c.id = p.collection_id"
    " where p.deleted_at is null and c.deleted_at is null",
    "product in sales channel": "select p.title || ' in ' || s.name, ''"
    " from product_sales_channel m join product p on p.id = m.product_id join sales_channel s"
    " on s.id = m.sales_channel_id where m.deleted_at is null and p.deleted_at is null"
    " and s.deleted_at is null",
    "sales channel": "select name, concat_ws(' ', description, is_disabled)"
    " from sales_channel where deleted_at is null",
    "location": "select l.name, concat_ws(' ', a.address_1, a.city, a.country_code, a.company)"
    " from stock_location l left join stock_location_address a on a.id = l.address_id"
    " where l.deleted_at is null",
    "location in sales channel": "select l.name || ' in ' || s.name, ''"
    " from sales_channel_stock_location m join stock_location l on l.id = m.stock_location_id"
    " join sales_channel s on s.id = m.sales_channel_id where m.deleted_at is null"
    " and l.deleted_at is null and s.deleted_at is null",
    "region": "select name, currency_code || ' ' || automatic_taxes from region"
    " where deleted_at is null",
    "country": "select display_name, r.name from region_country c join region r"
    " on r.id = c.region_id where r.deleted_at is null",
    "tax region": "select id, country_code from tax_region where deleted_at is null",
    "tax rate": "select name, concat_ws(' ', rate, code, is_default) from tax_rate"
    " where deleted_at is null",
    "tax override": "select id, reference || ' ' || reference_id from tax_rate_rule"
    " where deleted_at is null",
    "shipping option": "select name, price_type from shipping_option where deleted_at is null",
    "price list": "select title, concat_ws(' ', status, type, description, starts_at, ends_at)"
    " from price_list where deleted_at is null",
    "price": "select l.title || ': ' || p.title || ' ' || v.title, string_agg(c.amount || ' '"
    " || c.currency_code, ' ') from price c join price_list l on l.id = c.price_list_id"
    " join product_variant_price_set m on m.price_set_id = c.price_set_id"
    " join product_variant v on v.id = m.variant_id join product p on p.id = v.product_id"
    " where c.deleted_at is null and l.deleted_at is null and v.deleted_at is null group by 1",
    "promotion": "select code, concat_ws(' ', p.type, is_automatic, campaign_id, m.value,"
    " m.allocation, m.target_type) from promotion p left join promotion_application_method m"
    " on m.promotion_id = p.id where p.deleted_at is null",
    "promotion rule": "select p.code || ' ' || r.attribute, r.operator"
    " from promotion_promotion_rule m join promotion p on p.id = m.promotion_id"
    " join promotion_rule r on r.id = m.promotion_rule_id"
    " where p.deleted_at is null and r.deleted_at is null",
    "inventory": "select i.title || ' ' || i.sku || ' in ' || l.name, stocked_quantity"
    " from inventory_level v join inventory_item i on i.id = v.inventory_item_id"
    " join stock_location l on l.id = v.location_id where v.deleted_at is null"
    " and i.deleted_at is null and l.deleted_at is null",
    "reservation": "select r.id, concat_ws(' ', quantity, r.description) from reservation_item r"
    " where r.deleted_at is null",
    "return reason": "select label, concat_ws(' ', value, description) from return_reason"
    " where deleted_at is null",
    "currency": "select upper(currency_code), is_default from store_currency"
    " where deleted_at is null",
    "store": "select id, concat_ws(' ', name, default_sales_channel_id, default_region_id,"
    " default_location_id) from store",
    "API key": "select title, concat_ws(' ', type, revoked_at) from api_key",
    "API key in sales channel": "select k.title || ' in ' || s.name, ''"
    " from publishable_api_key_sales_channel m join api_key k on k.id = m.publishable_key_id"
    " join sales_channel s on s.id = m.sales_channel_id where m.deleted_at is null"
    " and s.deleted_at is null",
    "invite": "select email, expires_at from invite where deleted_at is null and not accepted",
    "user": "select email, concat_ws(' ', first_name, last_name) from \"user\""
    " where deleted_at is null",
}


def _env(place: Place) -> Mapping[str, str]:
    return {
        **postgres_env(place),
        # Of a socket: PostgreSQL is asked through a path, in the place of a host.
        "DATABASE_URL": f"postgres://{USER}@{str(place.data / 'pg').replace('/', '%2F')}/{USER}",
        "PORT": str(place.ports[0]),
        "MEDUSA_DISABLE_TELEMETRY": "true",
    }


def _make(place: Place) -> None:
    (place.data / "node_modules").symlink_to(place.installed / "node_modules")
    for name, text in FILES.items():
        path = place.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    make_database(place)
    place.run("node", "build.js", env=_env(place))
    medusa = str(place.installed / "node_modules/@medusajs/cli/cli.js")
    with place.serving([postgres(place)]):
        wait_for_postgres(place)
        place.run("node", medusa, "db:migrate", env=_env(place))
        place.run("node", medusa, "user", "-e", USERNAME, "-p", PASSWORD, env=_env(place))


def _services(place: Place) -> Sequence[Service]:
    return [postgres(place), Service(command=("node", "serve.js"), env=_env(place))]


def _token(api: httpx.Client, path: str, email: str) -> Mapping[str, str]:
    said = api.post(path, json={"email": email, "password": PASSWORD}).raise_for_status().json()
    return {"Authorization": f"Bearer {said['token']}"}


def _fill(place: Place) -> None:
    with httpx.Client(base_url=place.url, timeout=60) as api:
        api.headers.update(_token(api, "/auth/user/emailpass", USERNAME))

        def add(path: str, **fields: object) -> dict[str, Any]:  # Any: JSON
            said = api.post(f"/admin/{path}", json=fields).raise_for_status().json()
            return next(value for value in said.values() if isinstance(value, dict))

        store = api.get("/admin/stores").raise_for_status().json()["stores"][0]
        currencies = [{"currency_code": "eur", "is_default": True}, {"currency_code": "usd"}]
        add(f"stores/{store['id']}", supported_currencies=currencies)
        shop = store["default_sales_channel_id"]
        _add_settings(add, shop)
        _add_customers(add)
        north = _add_products(add, shop)
        items = api.get("/admin/inventory-items", params={"sku": "RJ-S"}).raise_for_status().json()
        item = items["inventory_items"][0]["id"]
        add(f"inventory-items/{item}/location-levels", location_id=north, stocked_quantity=12)
        reserved = {"inventory_item_id": item, "location_id": north, "quantity": 2}
        add("reservations", **reserved, description="For a photo")
        ben = {"email": "ben@example.com", "first_name": "Ben", "last_name": "Okoro"}
        invite = add("invites", email=ben["email"])
        accept = "/admin/invites/accept"
        signed = _token(api, "/auth/user/emailpass/register", ben["email"])
        api.post(
            accept, params={"token": invite["token"]}, json=ben, headers=signed
        ).raise_for_status()
        add("invites", email="chen@example.com")


Add = Callable[..., dict[str, Any]]  # Any: JSON


def _add_settings(add: Add, shop: str) -> None:
    add("sales-channels", name="Mobile App", description="The app for phones")
    add("regions", name="Europe", currency_code="eur", countries=["de", "fr"])
    add("return-reasons", label="Wrong size", value="wrong-size")
    rate = {"name": "Standard rate", "rate": 19, "code": "STD"}
    germany = add("tax-regions", country_code="de", default_tax_rate=rate)
    add("tax-rates", tax_region_id=germany["id"], name="Reduced rate", rate=7, code="RED")
    key = add("api-keys", title="Storefront", type="publishable")
    add(f"api-keys/{key['id']}/sales-channels", add=[shop])
    method = {"type": "percentage", "target_type": "items", "allocation": "across", "value": 10}
    add("promotions", code="WELCOME10", type="standard", application_method=method)


def _add_customers(add: Add) -> None:
    made = {
        name: add(
            "customers", email=f"{name}@shop.example", first_name=name.title(), last_name=last
        )["id"]
        for name, last in CUSTOMERS.items()
    }
    vip = add("customer-groups", name="VIP")
    add(f"customer-groups/{vip['id']}/customers", add=[made["mina"]])


def _add_products(add: Add, shop: str) -> str:
    address = {"address_1": "Hafenstrasse 1", "city": "Hamburg", "country_code": "de"}
    north = str(add("stock-locations", name="Warehouse North", address=address)["id"])
    add(f"stock-locations/{north}/sales-channels", add=[shop])
    add("stock-locations", name="Warehouse South", address={**address, "city": "Ulm"})
    clothing = add("product-categories", name="Clothing", is_active=True)["id"]
    add("product-categories", name="Hats", is_active=True, parent_category_id=clothing)
    add("product-categories", name="Boots", is_active=True)
    winter = add("collections", title="Winter")["id"]
    in_clothing = {"categories": [{"id": clothing}]}
    jacket = add("products", **_product("Rain Jacket", "RJ", shop), **in_clothing)
    add("products", **_product("Wool Hat", "WH", shop), collection_id=winter)
    sold = {"amount": 50, "currency_code": "eur", "variant_id": jacket["variants"][0]["id"]}
    about = {"title": "Winter Sale", "description": "For the cold days"}
    add("price-lists", **about, type="sale", status="active", prices=[sold])
    return north


def _product(title: str, sku: str, shop: str) -> Mapping[str, object]:
    price = {"amount": 60, "currency_code": "eur"}
    variants = [
        {"title": size, "sku": f"{sku}-{size}", "prices": [price], "options": {"Size": size}}
        for size in ("S", "M")
    ]
    return {
        "title": title,
        "status": "published",
        "options": [{"title": "Size", "values": ["S", "M"]}],
        "variants": variants,
        "sales_channels": [{"id": shop}],
    }


CONSOLE = Console(
    name="medusa",
    title="Medusa 2.0.1",
    half="train",
    guide=Guide(
        repository="https://github.com/medusajs/medusa",
        commit="59e6747800133e091d20c2c167f600981abc5c0d",
        documents=("www/apps/user-guide/app",),
    ),
    username=USERNAME,
    password=PASSWORD,
    debian=PACKAGES,
    ready="/health",
    start_timeout_s=300,
    make=_make,
    services=_services,
    fill=_fill,
    witness=lambda place: content_in(place, QUERIES),
)
