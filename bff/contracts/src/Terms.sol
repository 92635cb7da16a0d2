// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice What a deposit address stands for. The address is a hash of these terms, so they cannot change after the customer has seen it.
/// @param chainId Chain on which the deposit settles; on every other chain all money at the address is a mistake to be returned
/// @param token ERC-20 that is due
/// @param amount Due, in base units of `token`; what arrives beyond it is excess
/// @param least Least that is accepted as full payment, in base units: `amount` less the merchant's tolerance
/// @param merchant Wallet that is paid
/// @param platform Wallet that is paid the fee
/// @param feeBps Fee in basis points of what is paid out, rounded down; the merchant gets the rest
/// @param deadline Unix seconds; after it, a deposit that holds less than `least` may be returned
/// @param operator The only account that may return money, and only money that is not the merchant's
/// @param salt Makes the address of one payment differ from that of another with the same terms
struct Terms {
    uint256 chainId;
    address token;
    uint128 amount;
    uint128 least;
    address merchant;
    address platform;
    uint16 feeBps;
    uint40 deadline;
    address operator;
    bytes32 salt;
}
